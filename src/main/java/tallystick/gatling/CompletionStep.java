package tallystick.gatling;

import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.Session;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import tallystick.openai.CompletionResult;
import tallystick.runrecord.Outcome;

/** A request in a journey of one's own. Each method gives a new step; none changes this one. */
public final class CompletionStep implements ActionBuilder {
  private final CompletionTarget target;
  private final Function<Session, String> prompt;
  private final Map<String, Object> options = new LinkedHashMap<>();
  private final List<Check> checks = new ArrayList<>();
  private String savedAs = "";

  private record Check(String name, Predicate<String> holds) {}

  CompletionStep(CompletionTarget target, Function<Session, String> prompt) {
    this.target = target;
    this.prompt = prompt;
  }

  private CompletionStep copy() {
    CompletionStep copy = new CompletionStep(target, prompt);
    copy.options.putAll(options);
    copy.checks.addAll(checks);
    copy.savedAs = savedAs;
    return copy;
  }

  /** With a field of the request's body, for example {@code with("max_tokens", 64)}. */
  public CompletionStep with(String field, Object value) {
    CompletionStep copy = copy();
    copy.options.put(field, value);
    return copy;
  }

  /** Failed, under this name, where the answer is another. */
  public CompletionStep check(String name, Predicate<String> answer) {
    CompletionStep copy = copy();
    copy.checks.add(new Check(name, answer));
    return copy;
  }

  /** With the answer kept in the session. */
  public CompletionStep saveAs(String attribute) {
    CompletionStep copy = copy();
    copy.savedAs = attribute;
    return copy;
  }

  @Override
  public io.gatling.core.action.builder.ActionBuilder asScala() {
    return (context, next) -> new Sending(context.coreComponents(), next);
  }

  private final class Sending extends JavaAction {
    Sending(CoreComponents core, Action next) {
      super("completion", core, next);
    }

    @Override
    public void execute(io.gatling.core.session.Session session) {
      target.send(
          prompt.apply(new Session(session)), options,
          result -> next().$bang(ended(session, result)));
    }

    private io.gatling.core.session.Session ended(
        io.gatling.core.session.Session session, CompletionResult result) {
      long first = result.chunks().size() > 0 ? result.chunks().arrivalNanos()[0] : 0;
      GatlingLog.Timed timed =
          new GatlingLog.Timed(
              result.moments().started(), first, result.moments().ended(),
              result.ending().status(), fault(result));
      io.gatling.core.session.Session logged =
          new GatlingLog(statsEngine(), clock().nowMillis()).log(session, timed);
      return savedAs.isEmpty()
          ? logged
          : new Session(logged).set(savedAs, result.text()).asScala();
    }
  }

  private Optional<String> fault(CompletionResult result) {
    if (result.ending().outcome() != Outcome.OK) {
      return Optional.of(result.ending().outcome().name().toLowerCase(Locale.ROOT));
    }
    return checks.stream()
        .filter(check -> !check.holds().test(result.text()))
        .map(check -> "check failed: " + check.name())
        .findFirst();
  }
}

package tallystick.scenario;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tallystick.scenario.Workload.Agents;
import tallystick.scenario.Workload.Cancellation;
import tallystick.scenario.Workload.ClassForm;
import tallystick.scenario.Workload.Conversation;
import tallystick.scenario.Workload.RequestClass;
import tallystick.scenario.Workload.SharedPrefixes;
import tallystick.scenario.Workload.Tools;

/**
 * Reads one kind of request.
 *
 * @param folder where relative file names begin
 * @param commonBody extra body fields of every class
 * @param secrets reads the places that fields have instead of a secret
 * @param notes takes what data sets were taken for
 */
record ClassReader(
    Folder folder, Optional<ScenarioValue> commonBody, SecretReader secrets,
    Consumer<String> notes) {
  /** All turns of an entry. */
  private static final Lengths WHOLE = new Lengths.Fixed(Lengths.MOST);

  /** The keys a class takes from the workload where it does not say them itself. */
  static List<String> inheritedBy(Section section) {
    boolean hasContent = section.has("token_pairs") || section.has("dataset");
    boolean hasLengths = section.has("prompt_tokens");
    return ScenarioKeys.OF_CLASS.names().stream()
        .filter(key -> !(hasContent && List.of("prompt_tokens", "output_tokens").contains(key)))
        .filter(key ->
            !((hasContent || hasLengths) && List.of("token_pairs", "dataset").contains(key)))
        .toList();
  }

  /** One class, with the pause of its users where its conversation says none of its own. */
  RequestClass read(Section section, String name, double weight, ThinkTime ofUsers) {
    RequestContent content = content(section);
    Conversation conversation =
        section.find("conversation").map(v -> conversation(v, content, ofUsers))
            .orElse(
                hasSessions(content) ? new Conversation(WHOLE, ofUsers) : Conversation.SINGLE);
    return new RequestClass(
        name,
        weight,
        content,
        section.find("shared_prefix").map(v -> prefixes(v, content)).orElse(SharedPrefixes.NONE),
        conversation,
        section.find("cancel").map(ClassReader::cancellation).orElse(Cancellation.NEVER),
        new ClassForm(
            section.find("model").map(ScenarioValue::text).orElse(""),
            section.get("n").count(),
            JsonText.object(
                Stream.concat(commonBody.stream(), section.find("extra_body").stream()).toList(),
                secrets)));
  }

  private static boolean hasSessions(RequestContent content) {
    return content instanceof RequestContent.FromDataset from && from.dataset().hasSessions();
  }

  private RequestContent content(Section section) {
    Optional<ScenarioValue> pairs = section.find("token_pairs");
    Optional<ScenarioValue> dataset = section.find("dataset");
    if (pairs.isPresent() && dataset.isPresent()) {
      throw pairs.get().origin().error(
          "token_pairs and dataset are both written", "keep one of them");
    }
    if (pairs.isPresent()) {
      section.refuse("prompt_tokens", "token_pairs has the lengths");
      section.refuse("output_tokens", "token_pairs has the lengths");
      return new RequestContent.Paired(LengthsReader.pairs(pairs.get()));
    }
    if (dataset.isPresent()) {
      section.refuse("prompt_tokens", "the data set has the prompts");
      return new DatasetReader(folder, notes)
          .read(dataset.get(), section.find("output_tokens").map(LengthsReader::read));
    }
    return new RequestContent.Sampled(
        LengthsReader.read(section.get("prompt_tokens")),
        LengthsReader.read(section.get("output_tokens")));
  }

  private static SharedPrefixes prefixes(ScenarioValue value, RequestContent content) {
    if (value.isMapping() && content instanceof RequestContent.FromDataset) {
      throw value.origin().error(
          value.path() + " has no meaning with a data set", "the data set has its own");
    }
    Section section = Section.of(value);
    return new SharedPrefixes(
        section.get("groups").count(),
        section.get("share").share(),
        section.get("tokens").count());
  }

  private static Conversation conversation(
      ScenarioValue value, RequestContent content, ThinkTime ofUsers) {
    Section section = Section.of(value);
    boolean hasEntries = content instanceof RequestContent.FromDataset;
    Lengths turns =
        hasEntries && !section.has("turns")
            ? WHOLE
            : LengthsReader.read(section.get("turns"));
    if (turns.equals(Conversation.SINGLE.turns()) && section.has("think_time")) {
      throw section.originOf("think_time").error(
          section.path("think_time") + " has no effect: a conversation of one turn has no next one",
          "write turns: 4; or for a closed loop workload.think_time without conversation");
    }
    return new Conversation(
        turns, section.find("think_time").map(ClassReader::pause).orElse(ofUsers),
        section.find("tools").map(v -> tools(v, content)).orElse(Tools.NONE),
        section.find("agents").map(v -> agents(v, content)).orElse(Agents.NONE),
        section.get("by_response_id").flag());
  }

  private static Tools tools(ScenarioValue value, RequestContent content) {
    Lengths outputTokens = outputTokens(value, content);
    Section section = Section.of(value);
    return new Tools(
        section.get("share").share(),
        LengthsReader.read(section.get("calls")),
        pause(section.get("time")),
        LengthsReader.read(section.get("result_tokens")),
        section.find("call_tokens").map(LengthsReader::read).orElse(outputTokens));
  }

  private static Agents agents(ScenarioValue value, RequestContent content) {
    Lengths outputTokens = outputTokens(value, content);
    Section section = Section.of(value);
    return new Agents(
        section.get("share").share(),
        LengthsReader.read(section.get("count")),
        LengthsReader.read(section.get("turns")),
        LengthsReader.read(section.get("prompt_tokens")),
        section.find("output_tokens").map(LengthsReader::read).orElse(outputTokens),
        pause(section.get("time")),
        LengthsReader.read(section.get("result_tokens")),
        section.find("call_tokens").map(LengthsReader::read).orElse(outputTokens));
  }

  private static Lengths outputTokens(ScenarioValue value, RequestContent content) {
    if (content instanceof RequestContent.Sampled lengths) {
      return lengths.outputTokens();
    }
    throw value.origin().error(
        value.path() + " has no meaning with a data set or token_pairs",
        "write prompt_tokens and output_tokens instead, or remove it");
  }

  static ThinkTime pause(ScenarioValue value) {
    if (!value.isMapping()) {
      return new ThinkTime.Fixed(value.nanos());
    }
    Section section = Section.of(value);
    Optional<ScenarioValue> exponential = section.find("exponential");
    if (exponential.isPresent()) {
      return new ThinkTime.Exponential(exponential.get().nanos());
    }
    ScenarioValue uniform = section.get("uniform");
    List<ScenarioValue> ends = uniform.items("two lengths of time");
    long least = ends.get(0).like("1s").nanos();
    long most = ends.get(1).as(ValueType.TIME).like("3s").nanos();
    if (most < least) {
      throw uniform.origin().error(
          uniform.path() + " runs from long to short", "write the shorter one first");
    }
    return new ThinkTime.Uniform(least, most);
  }

  private static Cancellation cancellation(ScenarioValue value) {
    Section section = Section.of(value);
    return new Cancellation(
        section.get("share").share(),
        section.find("after").map(ScenarioValue::nanos).orElse(0L),
        section.find("after_tokens").map(ScenarioValue::count).orElse(0));
  }
}

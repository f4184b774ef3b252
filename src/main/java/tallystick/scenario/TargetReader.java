package tallystick.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.reach.ServerUrl.Use;
import tallystick.reach.ServerUrl;
import tallystick.scenario.Target.Role;

/** Reads the servers under test. */
final class TargetReader {
  private static final String EXAMPLE = "target: http://127.0.0.1:8000";
  private static final List<String> KEYS = List.of("url", "metrics_url", "weight", "role");
  private static final List<String> ROLES = List.of("prefill", "decode");

  private TargetReader() {}

  static List<Target> read(Section root) {
    Optional<ScenarioValue> one = root.find("target");
    Optional<ScenarioValue> many = root.find("targets");
    if (one.isPresent() && many.isPresent()) {
      throw many.get().origin().error("target and targets are both written", "keep one of them");
    }
    List<Target> targets =
        many.map(v -> v.items("targets: [http://127.0.0.1:8000]").stream()
                .map(TargetReader::target).toList())
            .orElseGet(() -> one.map(v -> List.of(target(v))).orElse(List.of()));
    if (!targets.isEmpty() && targets.stream().allMatch(t -> t.weight() == 0)) {
      throw many.orElseGet(one::get).origin().error(
          "no target gets requests", "give one a weight above 0; a prefill engine gets none");
    }
    return targets;
  }

  private static Target target(ScenarioValue value) {
    if (!value.isMapping()) {
      return Target.at(url(value, Use.TARGET));
    }
    Section section = Section.of(value, KEYS);
    Role role = section.find("role").map(TargetReader::role).orElse(Role.WHOLE);
    if (role == Role.PREFILL) {
      section.refuse("weight", "a router loads a prefill engine, never this client");
    }
    Target plain = Target.at(url(section.require("url", "url: http://127.0.0.1:8000"), Use.TARGET));
    return new Target(
        plain.url(),
        section.find("metrics_url").map(v -> url(v, Use.METRICS)).orElse(plain.metricsUrl()),
        section.find("weight").map(v -> v.notNegative("weight: 1"))
            .orElse(role == Role.PREFILL ? 0.0 : 1.0),
        role);
  }

  private static Role role(ScenarioValue value) {
    String word = value.text("role: prefill");
    if (!ROLES.contains(word)) {
      throw value.origin().error(
          "unknown role \"" + word + "\"", NearestKey.remedy(word, ROLES));
    }
    return Role.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static String url(ScenarioValue value, Use use) {
    String text = value.text(EXAMPLE);
    ServerUrl.faultOf(text, use)
        .ifPresent(
            fault -> {
              String problem = value.path() + " " + fault.what();
              throw value.origin().withoutSecrets().error(problem, fault.remedy());
            });
    return ServerUrl.normal(text);
  }
}

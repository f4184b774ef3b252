package tallystick.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tallystick.reach.ServerUrl.Use;
import tallystick.reach.ServerUrl;
import tallystick.scenario.Target.Role;

/** Reads the servers under test. */
final class TargetReader {
  private static final String EXAMPLE = "target: http://127.0.0.1:8000";
  private static final List<String> KEYS = List.of("url", "metrics_url", "weight", "role");
  private static final List<String> ROLES = List.of("prefill", "decode", "gateway");

  private static final Pattern SRV_NAME = Pattern.compile("[\\w-]{1,63}(\\.[\\w-]{1,63})+\\.?");
  private static final Pattern DNS_SERVER =
      Pattern.compile("([\\w-]{1,63}(\\.[\\w-]{1,63})*|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");

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
    return list(root).exists() ? targets.stream().map(TargetReader::gateway).toList() : targets;
  }

  /** Behind a list of engines stands what passes requests on to them. */
  private static Target gateway(Target named) {
    boolean isPlain = named.role() == Role.WHOLE && named.equals(Target.at(named.url()));
    return isPlain ? new Target(named.url(), "", 1, Role.GATEWAY) : named;
  }

  /** Where the engines behind the target are listed. */
  static TargetList list(Section root, Folder folder) {
    TargetList list = list(root);
    if (list.exists() && root.find("target").isEmpty() && root.find("targets").isEmpty()) {
      throw root.originOf(list.file().isEmpty() ? "targets_srv" : "targets_file").error(
          "the engines are listed, but not who passes the load on to them",
          "add the router: target: http://router:8000");
    }
    return list.file().isEmpty()
        ? list
        : new TargetList(
            folder.place(root.require("targets_file", "targets_file: engines.json"),
                "targets_file: engines.json").toString(),
            "", "");
  }

  private static TargetList list(Section root) {
    Optional<ScenarioValue> file = root.find("targets_file");
    Optional<ScenarioValue> srv = root.find("targets_srv");
    Optional<ScenarioValue> dns = root.find("targets_dns");
    if (file.isPresent() && srv.isPresent()) {
      throw srv.get().origin().error(
          "targets_file and targets_srv are both written", "keep one of them");
    }
    if (dns.isPresent() && srv.isEmpty()) {
      throw dns.get().origin().error(
          "targets_dns is who is asked for targets_srv, which is missing",
          "add targets_srv: _http._tcp.vllm.default.svc.cluster.local");
    }
    return new TargetList(
        file.map(v -> v.text("targets_file: engines.json")).orElse(""),
        srv.map(v -> matching(v, SRV_NAME, "targets_srv: _http._tcp.vllm.default.svc")).orElse(""),
        dns.map(v -> matching(v, DNS_SERVER, "targets_dns: 10.96.0.10:53")).orElse(""));
  }

  private static String matching(ScenarioValue value, Pattern form, String example) {
    String text = value.text(example);
    if (!form.matcher(text).matches()) {
      throw value.wrong("such a name", example);
    }
    return text;
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
        section.find("metrics_url").map(v -> url(v, Use.METRICS))
            .orElse(role == Role.GATEWAY ? "" : plain.metricsUrl()),
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
    return checked(value, value.text(EXAMPLE), use);
  }

  /** A URL that a value stands for, checked like one that was written out. */
  static String checked(ScenarioValue value, String text, Use use) {
    ServerUrl.faultOf(text, use)
        .ifPresent(
            fault -> {
              String problem = value.path() + " " + fault.what();
              throw value.origin().withoutSecrets().error(problem, fault.remedy());
            });
    return ServerUrl.normal(text);
  }
}

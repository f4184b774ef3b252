package tallystick.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.reach.ServerUrl.Use;
import tallystick.reach.ServerUrl;
import tallystick.scenario.Target.Role;

/** Reads the servers under test. */
final class TargetReader {
  private TargetReader() {}

  static List<Target> read(Section root) {
    Optional<ScenarioValue> one = root.find("target");
    Optional<ScenarioValue> many = root.find("targets");
    List<Target> targets =
        many.map(v -> v.items().stream().map(TargetReader::target).toList())
            .orElseGet(() -> one.map(v -> List.of(target(v))).orElse(List.of()));
    if (!targets.isEmpty() && targets.stream().allMatch(t -> t.weight() == 0)) {
      throw many.orElseGet(one::get).origin().error(
          "no target receives requests", "give one a weight above 0; prefill engines get none");
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
          "the engines are listed, but no target receives the load",
          "add the router: target: http://router:8000");
    }
    return list.file().isEmpty()
        ? list
        : new TargetList(
            folder.place(root.get("targets_file")).toString(), "", "");
  }

  private static TargetList list(Section root) {
    Optional<ScenarioValue> srv = root.find("targets_srv");
    Optional<ScenarioValue> dns = root.find("targets_dns");
    if (dns.isPresent() && srv.isEmpty()) {
      throw dns.get().origin().error(
          "targets_dns is only used with targets_srv, which is missing",
          "add targets_srv: _http._tcp.vllm.default.svc.cluster.local");
    }
    return new TargetList(
        root.find("targets_file").map(ScenarioValue::text).orElse(""),
        srv.map(ScenarioValue::text).orElse(""),
        dns.map(ScenarioValue::text).orElse(""));
  }

  private static Target target(ScenarioValue value) {
    Section section = Section.of(value);
    Role role =
        section.find("role")
            .map(v -> Role.valueOf(v.word().toUpperCase(Locale.ROOT)))
            .orElse(Role.WHOLE);
    if (role == Role.PREFILL) {
      section.refuse("weight", "a router sends requests to prefill engines, not this client");
    }
    Target plain = Target.at(url(section.get("url"), Use.TARGET));
    return new Target(
        plain.url(),
        section.find("metrics_url").map(v -> url(v, Use.METRICS))
            .orElse(role == Role.GATEWAY ? "" : plain.metricsUrl()),
        section.find("weight").map(ScenarioValue::number)
            .orElse(role == Role.PREFILL ? 0.0 : 1.0),
        role);
  }

  static String url(ScenarioValue value, Use use) {
    return checked(value, value.text(), use);
  }

  /** A URL that a value stands for, checked like one that was written out. */
  static String checked(ScenarioValue value, String text, Use use) {
    ServerUrl.faultOf(text, use)
        .ifPresent(
            fault -> {
              String problem = value.path() + " " + fault.what();
              throw value.origin().withoutSecrets().error(problem, fault.remedy());
            });
    return ServerUrl.normal(text, use);
  }
}

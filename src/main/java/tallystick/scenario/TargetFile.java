package tallystick.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tallystick.reach.ServerUrl.Use;
import tallystick.scenario.Target.Role;

/**
 * Reads a list of engines in Prometheus' {@code file_sd} form, JSON or YAML: {@code [{targets:
 * ["10.0.0.7:8000"], labels: {role: decode}}]}. Besides {@code role} the labels {@code __scheme__}
 * and {@code __metrics_path__} are read; all others are left to Prometheus.
 */
public final class TargetFile {
  private static final String EXAMPLE = "[{\"targets\": [\"10.0.0.7:8000\"]}]";
  private static final long LARGEST_BYTES = 1 << 20;

  private TargetFile() {}

  /**
   * The engines of a file, each once; an empty list is none.
   *
   * @throws ScenarioException for what cannot be read; its message holds no secret
   * @throws IOException if there is no such file
   */
  public static List<Target> read(Path file) throws IOException {
    String shown = file.toString();
    if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
      // A pipe may never end, and a device has no end.
      throw SourceLocation.ofFile(shown).error("no regular file", "write the list into a file");
    }
    if (Files.size(file) > LARGEST_BYTES) {
      throw SourceLocation.ofFile(shown).error("larger than 1 MiB", "list fewer engines");
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    if (text.isBlank()) {
      throw SourceLocation.ofFile(shown).error("the file is empty", "write " + EXAMPLE + " or []");
    }
    Node root = YamlTree.parse(text, line -> SourceLocation.ofLine(shown, line));
    if (!(root instanceof Node.Sequence groups)) {
      throw root.origin().error("not a list of targets", "write for example " + EXAMPLE);
    }
    Map<String, Target> targets = new LinkedHashMap<>();
    for (Node group : groups.items()) {
      targets(Section.of(group, "a group", ScenarioKeys.TARGET_LIST))
          .forEach(one -> targets.putIfAbsent(one.metricsUrl(), one));
    }
    return List.copyOf(targets.values());
  }

  /** An engine that is only scraped. */
  public static Target at(String host, int port) {
    String url = "http://" + host + ":" + port;
    return new Target(url, url + "/metrics", 0);
  }

  private static List<Target> targets(Section group) {
    Map<String, String> labels = group.find("labels").map(TargetFile::labels).orElse(Map.of());
    List<Target> targets = new ArrayList<>();
    ScenarioValue named = group.require("targets", EXAMPLE).like(EXAMPLE);
    if (named.node() instanceof Node.Sequence all && !all.items().isEmpty()) {
      named.items().forEach(one -> targets.add(target(one, labels)));
    } else if (!named.isList()) {
      throw named.wrong("a list");
    }
    return targets;
  }

  private static Target target(ScenarioValue value, Map<String, String> labels) {
    String scheme = labels.getOrDefault("__scheme__", "http");
    String text = value.like("\"10.0.0.7:8000\"").text();
    String whole = text.contains("://") ? text : scheme + "://" + text;
    Target plain = Target.at(TargetReader.checked(value, whole, Use.TARGET));
    String metrics = plain.url() + labels.getOrDefault("__metrics_path__", "/metrics");
    String word = labels.getOrDefault("role", "");
    Role role =
        Stream.of(Role.PREFILL, Role.DECODE)
            .filter(known -> known.name().equalsIgnoreCase(word))
            .findFirst()
            .orElse(Role.WHOLE);
    return new Target(plain.url(), TargetReader.checked(value, metrics, Use.METRICS), 0, role);
  }

  private static Map<String, String> labels(ScenarioValue value) {
    Map<String, String> labels = new LinkedHashMap<>();
    value.entries("keys and values").forEach(
        (key, label) -> {
          if (label.node() instanceof Node.Scalar scalar) {
            labels.put(key, scalar.text());
          }
        });
    return labels;
  }
}

package tallystick.scenario;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Scenario.Limits;
import tallystick.scenario.Scenario.RequestForm;

/** Reads a scenario strictly: every mistake of the user ends here. */
public final class ScenarioReader {
  /** The system property with the folder of the scenarios that came with the program. */
  public static final String SHIPPED = "tally.scenarios";

  private static final long LARGEST_FILE_BYTES = 1 << 20;

  private ScenarioReader() {}

  /**
   * The scenario in a file.
   *
   * @param file YAML file, named in messages as given here
   * @param overrides texts such as {@code workload.rate=8}, laid over the file in order
   * @param labels texts such as {@code gpu=H100}, added to the file's labels
   * @throws ScenarioException for everything the user can fix
   */
  public static Scenario read(Path file, List<String> overrides, List<String> labels) {
    return read(file, overrides, labels, false, note -> { });
  }

  /**
   * The same for who is told what was read as what.
   *
   * @param isOfRequests whether each request is asked to keep all objectives together
   * @param notes takes a line for each form that is not ours, see {@link FamiliarForms}
   * @throws ScenarioException also for an objective that then judges no request
   */
  public static Scenario read(
      Path file, List<String> overrides, List<String> labels, boolean isOfRequests,
      Consumer<String> notes) {
    String shown = file.toString();
    Node written = YamlTree.parse(content(file), line -> SourceLocation.ofLine(shown, line));
    FamiliarForms forms = new FamiliarForms(notes);
    Node ours = ForeignWords.in(written, notes);
    Node tree = forms.in(Overrides.apply(ours, overrides, forms));
    try {
      return scenario(
          Section.of(tree, "", ScenarioKeys.FIRST_LEVEL), file, labels, isOfRequests, notes);
    } catch (ScenarioException e) {
      throw Mistakes.with(
          e, tree,
          tree instanceof Node.Mapping keys ? readers(keys, Folder.of(file)) : List.of());
    }
  }

  /** What reads a section without the others; a workload's rate may need the duration. */
  private static List<Runnable> readers(Node.Mapping keys, Folder folder) {
    Section root = new Section(keys, "", ScenarioKeys.FIRST_LEVEL, "", false);
    SecretReader secrets = new SecretReader(folder);
    return List.of(
        () -> root.find("workload")
            .filter(workload -> extent(root).isBounded())
            .ifPresent(
                new WorkloadReader(
                    extent(root),
                    new ClassReader(
                        folder, RequestFormReader.extraBody(root), secrets, note -> { }))::read),
        () -> TargetReader.read(root),
        () -> RequestFormReader.form(root, secrets),
        () -> RequestFormReader.access(root, folder, secrets),
        () -> root.find("engine").ifPresent(ScenarioReader::engine),
        () -> labels(root, List.of()),
        () -> ExporterReader.read(root));
  }

  private static Scenario scenario(
      Section root, Path file, List<String> labels, boolean isOfRequests,
      Consumer<String> notes) {
    Folder folder = Folder.of(file);
    SecretReader secrets = new SecretReader(folder);
    ClassReader classReader =
        new ClassReader(folder, RequestFormReader.extraBody(root), secrets, notes);
    WorkloadReader workloadReader = new WorkloadReader(extent(root), classReader);
    Workload workload =
        workloadReader.read(
            root.require("workload", "workload: {rate: 4, prompt_tokens: 256}"));
    Endpoint endpoint = endpoint(root.get("endpoint"));
    if (endpoint == Endpoint.RESPONSES
        && workload.classes().stream().anyMatch(one -> one.form().choices() > 1)) {
      throw root.originOf("endpoint").error(
          "endpoint: responses gives one answer a request, and the workload asks for n of them",
          "leave out n, or write endpoint: chat/completions");
    }
    if (endpoint != Endpoint.RESPONSES
        && workload.classes().stream().anyMatch(one -> one.conversation().byResponseId())) {
      throw root.originOf("endpoint").error(
          "conversation.by_response_id has no meaning with endpoint: " + endpoint.word(),
          "write endpoint: responses, or remove by_response_id");
    }
    RequestForm form = RequestFormReader.form(root, secrets);
    List<Objective> objectives =
        ObjectiveReader.read(
            root, workload.classes(), workloadReader.classObjectives(), isOfRequests);
    refuseSessionsOfSingleRequests(root, workload, objectives);
    if (form.withoutStream()) {
      refuseMomentsOfTokens(root, workload, objectives);
    }
    return new Scenario(
        root.find("name").map(ScenarioValue::text).orElse(nameOf(file)),
        TargetReader.read(root),
        root.find("model").map(ScenarioValue::text).orElse(""),
        endpoint,
        workload,
        wholeExtent(root, workload),
        extent(Section.of(root.get("warmup"))),
        root.get("seed").wholeLong(),
        objectives,
        new Limits(root.get("scrape_interval").nanos(), root.get("timeout").nanos()),
        form,
        RequestFormReader.access(root, folder, secrets),
        stopRules(Section.of(root.get("stop_when"))),
        root.find("engine").map(ScenarioReader::engine).orElse(Map.of()),
        labels(root, labels),
        ExporterReader.read(root));
  }

  private static void refuseSessionsOfSingleRequests(
      Section root, Workload workload, List<Objective> objectives) {
    List<String> talking =
        workload.classes().stream()
            .filter(Workload.RequestClass::hasSessions)
            .map(Workload.RequestClass::name)
            .toList();
    for (Objective one : objectives) {
      boolean hasSessions =
          one.requestClass().isEmpty()
              ? !talking.isEmpty()
              : talking.contains(one.requestClass());
      if (one.judgesSessions() && !hasSessions) {
        throw root.originOf("objectives").error(
            "an objective judges sessions, but "
                + (one.requestClass().isEmpty()
                    ? "the workload"
                    : "class \"" + one.requestClass() + "\"")
                + " has only single requests",
            "write workload.conversation, or judge e2e");
      }
    }
  }

  /** Of an answer that comes whole nobody outside knows when its tokens came. */
  private static void refuseMomentsOfTokens(
      Section root, Workload workload, List<Objective> objectives) {
    List<String> needing = new ArrayList<>();
    objectives.stream()
        .flatMap(one -> one.parts().stream())
        .map(Objective::metric)
        .filter(metric -> !metric.isOfWholeAnswer())
        .map(metric -> "an objective on " + metric.word())
        .forEach(needing::add);
    if (root.get("stop_when").isMapping() && Section.of(root.get("stop_when")).has("ttft")) {
      needing.add("stop_when.ttft");
    }
    if (workload.classes().stream().anyMatch(one -> one.cancellation().afterTokens() > 0)) {
      needing.add("cancel.after_tokens");
    }
    Section request = Section.of(root.get("request"));
    if (request.get("continuous_usage").flag() && request.has("continuous_usage")) {
      needing.add("request.continuous_usage");
    }
    if (!needing.isEmpty()) {
      throw request.originOf("stream").error(
          "request.stream: false hides when tokens came, needed by "
              + String.join(" and ", new LinkedHashSet<>(needing)),
          "judge e2e instead, or remove one of the two");
    }
  }

  private static Extent extent(Section section) {
    return new Extent(
        section.find("duration").map(ScenarioValue::nanos).orElse(0L),
        section.find("requests").map(ScenarioValue::count).orElse(0));
  }

  /** The extent with the bounds that the workload brings along. */
  private static Extent wholeExtent(Section root, Workload workload) {
    Extent extent = extent(root);
    if (workload.arrival() instanceof Arrival.Open open
        && open.rate() instanceof Rate.Steps steps) {
      long nanos = steps.steps().stream().mapToLong(Rate.Step::nanos).sum();
      boolean isOther = Math.abs(nanos - extent.durationNanos()) > steps.steps().size();
      if (extent.durationNanos() > 0 && isOther) {
        throw root.originOf("duration").error(
            "duration is " + extent.durationNanos() / 1e9 + " s, but the steps last "
                + nanos / 1e9 + " s",
            "remove duration (or --set duration=null)");
      }
      return new Extent(nanos, extent.requests());
    }
    if (workload.arrival() instanceof Arrival.Trace && !extent.isBounded()) {
      Dataset dataset =
          ((RequestContent.FromDataset) workload.classes().getFirst().content()).dataset();
      return new Extent(
          0, dataset.entries().stream().mapToInt(entry -> entry.turns().size()).sum());
    }
    if (!extent.isBounded()) {
      throw Mistakes.noExtent(root);
    }
    return extent;
  }

  private static Scenario.StopRules stopRules(Section section) {
    return new Scenario.StopRules(
        section.find("error_share").map(ScenarioValue::share).orElse(0.0),
        section.find("ttft").map(ScenarioValue::nanos).orElse(0L),
        section.find("waiting").map(ScenarioValue::count).orElse(0),
        section.find("duration").map(ScenarioValue::nanos).orElse(0L));
  }

  private static Endpoint endpoint(ScenarioValue value) {
    return Endpoint.valueOf(value.word().toUpperCase(Locale.ROOT).replace('/', '_'));
  }

  private static Map<String, String> labels(Section root, List<String> added) {
    Map<String, String> labels =
        new LinkedHashMap<>(root.find("labels").map(ScenarioReader::words).orElse(Map.of()));
    root.find("labels").ifPresent(
        v -> labels.keySet().forEach(k -> ExporterReader.checkLabel(v.origin(), k)));
    for (String label : added) {
      SourceLocation origin = SourceLocation.ofOption("--label " + label);
      int equals = label.indexOf('=');
      if (equals < 1) {
        throw origin.error("not NAME=VALUE", "write for example --label gpu=H100");
      }
      ExporterReader.checkLabel(origin, label.substring(0, equals));
      labels.put(label.substring(0, equals), label.substring(equals + 1));
    }
    return labels;
  }

  /** A flag has one text: several faults stand in it, as on the command line. */
  private static Map<String, String> engine(ScenarioValue value) {
    if (value.node() instanceof Node.Mapping mapping) {
      mapping.entries().forEach(ScenarioReader::checkFault);
      mapping.entries().forEach(ScenarioReader::checkList);
    }
    return words(value);
  }

  /** Several values of a flag are what tune tries; as a list they are mistyped easily. */
  private static void checkList(String key, Node.Entry entry) {
    if (entry.value() instanceof Node.Sequence list) {
      String values =
          list.items().stream()
              .map(item -> item instanceof Node.Scalar scalar ? scalar.text() : "VALUE")
              .collect(Collectors.joining(", "));
      throw entry.origin().error(
          "engine." + key + " must be text, was a list",
          "write without brackets " + key + ": " + values);
    }
  }

  private static void checkFault(String key, Node.Entry entry) {
    boolean isFault = key.equals("fault") || key.equals("faults");
    if (isFault && !(entry.value() instanceof Node.Scalar)) {
      throw entry.origin().error(
          "engine." + key + " must be text",
          "write for example fault: \"stall:at=20s,for=2s; slow:decode=3\"");
    }
  }

  private static Map<String, String> words(ScenarioValue value) {
    Map<String, String> words = new LinkedHashMap<>();
    value.like(value.path() + ": {key: value}").entries("keys and values").forEach(
        (key, word) -> words.put(key, word.like(key + ": value").text()));
    return words;
  }

  /** The file a shortened name most likely means. */
  private static String remedy(Path file) {
    if (file.toString().matches("https?:/.*")) {
      return "name a scenario, and the server with --target:"
          + " scenarios/quickstart.yaml --target URL";
    }
    return Stream.of(file + ".yaml", "scenarios/" + file, "scenarios/" + file + ".yaml")
        .filter(name -> Files.isRegularFile(Path.of(name)))
        .findFirst()
        .map(name -> "did you mean " + name + "?")
        .orElseGet(() -> "check the name" + shipped());
  }

  private static String shipped() {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty(SHIPPED, "scenarios")))) {
      String names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".yaml"))
              .map(name -> name.replace(".yaml", ""))
              .sorted()
              .collect(Collectors.joining(", "));
      return names.isEmpty() ? "" : "; ready ones are " + names;
    } catch (IOException e) {
      return "";
    }
  }

  private static String content(Path file) {
    // A path has one slash where a URL has two.
    SourceLocation origin =
        SourceLocation.ofFile(file.toString().replaceFirst("^(https?):/", "$1://"));
    if (!Files.exists(file)) {
      throw origin.error("there is no such file", remedy(file));
    }
    if (!Files.isRegularFile(file)) {
      throw origin.error("not a file", "name a YAML file, for example scenarios/quickstart.yaml");
    }
    try {
      if (Files.size(file) > LARGEST_FILE_BYTES) {
        throw origin.error("larger than 1 MiB", "name a scenario; it names its data set itself");
      }
      byte[] bytes = Files.readAllBytes(file);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw origin.error("not UTF-8 text", "save it as UTF-8");
    } catch (IOException e) {
      throw origin.error("cannot be read: " + e.getMessage(), "check its permissions");
    }
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
  }
}

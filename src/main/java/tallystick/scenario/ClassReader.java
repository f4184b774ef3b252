package tallystick.scenario;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.scenario.Workload.Cancellation;
import tallystick.scenario.Workload.ClassForm;
import tallystick.scenario.Workload.Conversation;
import tallystick.scenario.Workload.RequestClass;
import tallystick.scenario.Workload.SharedPrefixes;
import tallystick.scenario.Workload.ThinkTime;

/** Reads one kind of request. */
final class ClassReader {
  private final Folder folder;
  private final Optional<ScenarioValue> commonBody;
  private final SecretReader secrets;

  /**
   * A reader for one scenario.
   *
   * @param folder where relative file names begin
   * @param commonBody extra body fields of every class
   * @param secrets reads the places that fields have instead of a secret
   */
  ClassReader(Folder folder, Optional<ScenarioValue> commonBody, SecretReader secrets) {
    this.folder = folder;
    this.secrets = secrets;
    this.commonBody = commonBody;
  }

  /** The keys a class takes from the workload where it does not say them itself. */
  static List<String> inheritedBy(Section section) {
    boolean hasContent = section.has("token_pairs") || section.has("dataset");
    boolean hasLengths = section.has("prompt_tokens");
    return ScenarioKeys.OF_CLASS.stream()
        .filter(key -> !(hasContent && List.of("prompt_tokens", "output_tokens").contains(key)))
        .filter(key ->
            !((hasContent || hasLengths) && List.of("token_pairs", "dataset").contains(key)))
        .toList();
  }

  RequestClass read(Section section, String name, double weight) {
    RequestContent content = content(section);
    Conversation conversation =
        section.find("conversation").map(v -> conversation(v, content))
            .orElse(Conversation.SINGLE);
    return new RequestClass(
        name,
        weight,
        content,
        section.find("shared_prefix").map(v -> prefixes(v, content)).orElse(SharedPrefixes.NONE),
        conversation,
        section.find("cancel").map(ClassReader::cancellation).orElse(Cancellation.NEVER),
        new ClassForm(
            section.find("model").map(v -> v.text("model: tiny")).orElse(""),
            section.find("n").map(v -> v.count(1, 128, "n: 2")).orElse(1),
            JsonText.object(
                Stream.concat(commonBody.stream(), section.find("extra_body").stream()).toList(),
                secrets)));
  }

  private RequestContent content(Section section) {
    Optional<ScenarioValue> pairs = section.find("token_pairs");
    Optional<ScenarioValue> dataset = section.find("dataset");
    if (pairs.isPresent() && dataset.isPresent()) {
      throw pairs.get().origin().error(
          "token_pairs and dataset are both written", "keep one of them");
    }
    if (pairs.isPresent()) {
      section.refuse("prompt_tokens", "token_pairs says it");
      section.refuse("output_tokens", "token_pairs says it");
      return new RequestContent.Paired(LengthsReader.pairs(pairs.get()));
    }
    if (dataset.isPresent()) {
      section.refuse("prompt_tokens", "the data set says it");
      return new DatasetReader(folder)
          .read(dataset.get(), section.find("output_tokens").map(LengthsReader::read));
    }
    return new RequestContent.Sampled(
        LengthsReader.read(section.require("prompt_tokens", "prompt_tokens: 256")),
        LengthsReader.read(section.require("output_tokens", "output_tokens: 64")));
  }

  private static SharedPrefixes prefixes(ScenarioValue value, RequestContent content) {
    String example = "shared_prefix: {groups: 4, share: 0.8, tokens: 512}";
    if (!value.isMapping()) {
      throw value.wrong("groups, share and tokens", example);
    }
    if (content instanceof RequestContent.FromDataset) {
      throw value.origin().error(
          value.path() + " has no meaning with a data set", "the data set says what is shared");
    }
    Section section = Section.of(value, List.of("groups", "share", "tokens"));
    return new SharedPrefixes(
        section.find("groups").map(v -> v.count(1, 1_000_000, "groups: 4")).orElse(1),
        section.find("share").map(v -> v.share(true, "share: 0.8")).orElse(1.0),
        section.require("tokens", example).count(1, Lengths.MOST, "tokens: 512"));
  }

  private static Conversation conversation(ScenarioValue value, RequestContent content) {
    String example = "conversation: {turns: 4, think_time: 2s}";
    if (!value.isMapping()) {
      throw value.wrong("turns and think_time", example);
    }
    Section section = Section.of(value, List.of("turns", "think_time"));
    Lengths turns =
        content instanceof RequestContent.FromDataset
            ? section.find("turns").map(LengthsReader::read)
                .orElse(new Lengths.Fixed(Lengths.MOST))
            : LengthsReader.read(section.require("turns", example));
    return new Conversation(
        turns,
        section.find("think_time").map(ClassReader::thinkTime).orElse(new ThinkTime.Fixed(0)));
  }

  private static ThinkTime thinkTime(ScenarioValue value) {
    String example = "think_time: 2s";
    if (!value.isMapping()) {
      return new ThinkTime.Fixed(value.durationOrZeroNanos(example));
    }
    Section section = Section.of(value, List.of("uniform", "exponential"));
    Optional<ScenarioValue> exponential = section.find("exponential");
    if (exponential.isPresent()) {
      section.refuse("uniform", "exponential is written too");
      return new ThinkTime.Exponential(exponential.get().durationNanos("exponential: 2s"));
    }
    ScenarioValue uniform = section.require("uniform", "uniform: [1s, 3s]");
    List<ScenarioValue> ends = uniform.items("uniform: [1s, 3s]");
    if (ends.size() != 2) {
      throw uniform.wrong("two lengths of time", "uniform: [1s, 3s]");
    }
    long least = ends.get(0).durationOrZeroNanos("1s");
    long most = ends.get(1).durationNanos("3s");
    if (most < least) {
      throw uniform.origin().error(
          uniform.path() + " runs from long to short", "write the shorter one first");
    }
    return new ThinkTime.Uniform(least, most);
  }

  private static Cancellation cancellation(ScenarioValue value) {
    String example = "cancel: {share: 0.1, after: 2s}";
    if (!value.isMapping()) {
      throw value.wrong("share and after or after_tokens", example);
    }
    Section section = Section.of(value, List.of("share", "after", "after_tokens"));
    if (!section.has("after") && !section.has("after_tokens")) {
      throw value.origin().error(
          value.path() + " does not say when clients leave",
          "write after: 2s, after_tokens: 20, or both");
    }
    return new Cancellation(
        section.require("share", example).share(true, "share: 0.1"),
        section.find("after").map(v -> v.durationNanos("after: 2s")).orElse(0L),
        section.find("after_tokens")
            .map(v -> v.count(1, Lengths.MOST, "after_tokens: 20")).orElse(0));
  }
}

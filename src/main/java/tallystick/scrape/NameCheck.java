package tallystick.scrape;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;

/** Which spelling and which older names a target uses. */
final class NameCheck {
  private static final Pattern LIFE =
      Pattern.compile("deprecated ([\\d.]+), hidden ([\\d.]+), removed ([\\d.]+)");

  private NameCheck() {}

  static List<Remark> remarks(List<Sample> samples, String engineVersion) {
    List<Remark> remarks = new ArrayList<>();
    boolean isEscaped =
        samples.stream().anyMatch(sample -> sample.series().name().startsWith("vllm_"));
    if (isEscaped) {
      remarks.add(
          new Remark(
              Remark.Level.NOTE,
              "spelling",
              "names come as vllm_… with an underscore; rules on vllm:… stay empty"));
    }
    olderNames(samples)
        .forEach(
            (name, entry) ->
                remarks.add(new Remark(Remark.Level.NOTE, "older name", words(name, entry))));
    remarks.addAll(hidden(engineVersion));
    return remarks;
  }

  private static Map<String, MetricVocabulary.Entry> olderNames(List<Sample> samples) {
    Map<String, MetricVocabulary.Entry> older = new TreeMap<>();
    for (Sample sample : samples) {
      MetricVocabulary.standard()
          .entryOf(sample.series().name())
          .filter(MetricVocabulary.Entry::removed)
          .ifPresent(entry -> older.put(entry.family(), entry));
    }
    return older;
  }

  private static String words(String name, MetricVocabulary.Entry entry) {
    MetricVocabulary.Entry current =
        MetricVocabulary.standard().namesOf(entry.concept()).getFirst();
    String instead = current.removed() ? "" : "; the current name is " + current.family();
    return name + ", in vLLM " + entry.life() + instead;
  }

  /** vLLM hides a metric in the release after its deprecation and shows it on demand there. */
  private static List<Remark> hidden(String engineVersion) {
    List<Remark> remarks = new ArrayList<>();
    for (MetricConcept concept : MetricConcept.values()) {
      for (MetricVocabulary.Entry entry : MetricVocabulary.standard().namesOf(concept)) {
        Matcher life = LIFE.matcher(entry.life());
        if (life.matches() && engineVersion.startsWith(life.group(2) + ".")) {
          int minor = Integer.parseInt(life.group(2).substring(life.group(2).indexOf('.') + 1));
          String text =
              entry.family() + " is hidden here; --show-hidden-metrics-for-version=0."
                  + (minor - 1) + " shows it until it is removed in " + life.group(3);
          remarks.add(new Remark(Remark.Level.NOTE, "hidden name", text));
        }
      }
    }
    return remarks;
  }
}

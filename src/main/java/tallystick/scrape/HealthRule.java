package tallystick.scrape;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.runrecord.BlankValue;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series.Type;
import tallystick.scenario.NearestKey;

/**
 * A limit the user sets on a sample, for example {@code kv_cache_usage_perc>0.95}.
 *
 * @param name sample name, the engine's prefix may be left out; or what it means, as in {@code
 *     waiting} or {@code kv_cache_usage}
 * @param comparison how the value is compared with the limit
 * @param limit the limit
 */
public record HealthRule(String name, Comparison comparison, double limit) {
  private static final Pattern FORM =
      Pattern.compile("\\s*([A-Za-z_:][\\w:]*)\\s*(>=|<=|==|!=|>|<)\\s*(\\S+)\\s*");

  /** The ways to compare. */
  public enum Comparison {
    ABOVE(">"),
    AT_LEAST(">="),
    BELOW("<"),
    AT_MOST("<="),
    EQUAL("=="),
    UNEQUAL("!=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    /** The sign the user writes. */
    public String sign() {
      return sign;
    }

    boolean holds(double value, double limit) {
      return switch (this) {
        case ABOVE -> value > limit;
        case AT_LEAST -> value >= limit;
        case BELOW -> value < limit;
        case AT_MOST -> value <= limit;
        case EQUAL -> value == limit;
        case UNEQUAL -> value != limit;
      };
    }
  }

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if it is not name, comparison and number, or compares a ratio
   *     with what it cannot be; the message says how to write it
   */
  public static HealthRule parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw fault(text);
    }
    Comparison comparison =
        List.of(Comparison.values()).stream()
            .filter(sign -> sign.sign().equals(form.group(2)))
            .findFirst()
            .orElseThrow();
    try {
      double limit = Double.parseDouble(form.group(3));
      if (Double.isFinite(limit)) {
        refusePercent(text, form.group(1), limit);
        return new HealthRule(form.group(1), comparison, limit);
      }
    } catch (NumberFormatException e) {
      // Told below, like every limit that is not a number.
    }
    throw fault(text);
  }

  /** A share that is compared with 95 would never be above it. */
  private static void refusePercent(String text, String name, double limit) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    boolean isRatio =
        Arrays.stream(MetricConcept.values())
            .filter(
                concept ->
                    concept.name().equalsIgnoreCase(name)
                        || entryOf(name).filter(entry -> entry.concept() == concept).isPresent())
            .flatMap(concept -> vocabulary.namesOf(concept).stream())
            .anyMatch(entry -> entry.note().contains("ratio 0..1"));
    if (isRatio && (limit < 0 || limit > 1)) {
      throw new IllegalArgumentException(
          "'" + text + "' cannot hold: " + name + " is a ratio from 0 to 1; write "
              + (limit > 1 && limit <= 100 ? limit / 100 + " for " + limit + " %" : "a share"));
    }
  }

  private static Optional<MetricVocabulary.Entry> entryOf(String name) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    return vocabulary
        .entryOf(name)
        .or(
            () ->
                vocabulary.families().stream()
                    .flatMap(family -> vocabulary.entryOf(family.prefix() + name).stream())
                    .findFirst());
  }

  private static IllegalArgumentException fault(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is not a rule; write a metric, one of > >= < <= == != and a number, "
            + "as in kv_cache_usage_perc>0.95");
  }

  /** Whether the rule speaks of this sample, by its name or by another release's for the same. */
  public boolean concerns(Sample sample) {
    if (BlankValue.isBlank(sample)) {
      return false;
    }
    String exposed = sample.series().name();
    Optional<EngineFamily> family = MetricVocabulary.standard().familyOf(exposed);
    return exposed.equals(name)
        || family.filter(one -> one.withoutPrefix(exposed).equals(one.withoutPrefix(name)))
            .isPresent()
        || meansTheSame(exposed);
  }

  private boolean meansTheSame(String exposed) {
    return MetricVocabulary.standard()
        .entryOf(exposed)
        .filter(entry -> entry.type() == Type.GAUGE || entry.type() == Type.COUNTER)
        .filter(
            entry ->
                entry.concept().name().equalsIgnoreCase(name)
                    || entryOf(name).filter(own -> own.concept() == entry.concept()).isPresent())
        .isPresent();
  }

  /** A name among the samples, without the engine's prefix, that was probably meant. */
  public Optional<String> nearest(List<Sample> samples) {
    Set<String> names = new TreeSet<>();
    for (Sample sample : samples) {
      String exposed = sample.series().name();
      if (!exposed.endsWith("_bucket") && !exposed.endsWith("_created")) {
        Optional<EngineFamily> family = MetricVocabulary.standard().familyOf(exposed);
        names.add(family.map(one -> one.withoutPrefix(exposed)).orElse(exposed));
      }
    }
    String asked =
        MetricVocabulary.standard().familyOf(name).map(one -> one.withoutPrefix(name)).orElse(name);
    return NearestKey.nearest(asked, names).filter(near -> entryOf(name).isEmpty());
  }

  /** Of samples for which it does not hold, the one that is nearest to it. */
  public Optional<Sample> closest(List<Sample> samples) {
    return samples.stream()
        .filter(this::concerns)
        .min(Comparator.comparingDouble(sample -> Math.abs(sample.value() - limit)));
  }

  /** The samples for which the rule holds; for NaN nothing holds but {@code !=}. */
  public List<Sample> matches(List<Sample> samples) {
    return samples.stream()
        .filter(this::concerns)
        .filter(sample -> comparison.holds(sample.value(), limit))
        .toList();
  }

  /** The rule as the user would write it. */
  @Override
  public String toString() {
    return name + comparison.sign() + SnapshotText.number(limit);
  }
}

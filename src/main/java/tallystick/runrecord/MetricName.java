package tallystick.runrecord;

import java.util.ArrayList;
import java.util.List;

/**
 * A metric by its name, whether or not it is known what it means.
 *
 * @param type type of the family
 * @param family name of the metric family with its prefix and without {@code _total}
 * @param life which releases expose it
 */
public record MetricName(Series.Type type, String family, MetricLife life) {
  /** The names of the samples that carry its values. */
  public List<String> samples() {
    return switch (type) {
      case COUNTER -> List.of(family + "_total");
      case HISTOGRAM -> List.of(family + "_bucket", family + "_sum", family + "_count");
      case SUMMARY -> List.of(family, family + "_sum", family + "_count");
      case GAUGE, UNTYPED -> List.of(family);
    };
  }

  /** Whether it is gone from current releases. */
  public boolean isOver() {
    return life.isOver();
  }

  /** The family's name and those of its samples. */
  List<String> all() {
    List<String> all = new ArrayList<>(samples());
    all.add(family);
    return all;
  }
}

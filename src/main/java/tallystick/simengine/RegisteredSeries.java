package tallystick.simengine;

import java.util.List;

/**
 * One series of a family in a registry.
 *
 * @param family whose
 * @param labels label values in the family's order
 * @param offset place of its first value: a counter's or gauge's value; a histogram's buckets, not
 *     cumulated, and its sum; a summary's count and sum
 * @param createdSeconds when it was made, seconds since 1970
 */
record RegisteredSeries(
    MetricFamily family, List<String> labels, int offset, double createdSeconds) {

  /** The value of a label; empty if it has no such label. */
  String value(String label) {
    for (int i = 0; i < labels.size(); i++) {
      if (family.labels().get(i).name().equals(label)) {
        return labels.get(i);
      }
    }
    return "";
  }
}

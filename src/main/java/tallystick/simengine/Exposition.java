package tallystick.simengine;

/** Writes metrics in the Prometheus text format 1.0.0, as Python's client library does. */
final class Exposition {
  private Exposition() {}

  /** The text of one or more snapshots, one after the other. */
  static String of(MetricRegistry.Snapshot... snapshots) {
    StringBuilder text = new StringBuilder(1 << 16);
    for (MetricRegistry.Snapshot snapshot : snapshots) {
      for (ExposedSample sample : snapshot.samples()) {
        text.append(sample.head());
        if (!sample.name().isEmpty()) {
          text.append(sample.line());
          text.append(NumberText.of(sample.value(snapshot.values()))).append('\n');
        }
      }
    }
    return text.toString();
  }
}

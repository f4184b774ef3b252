package tallystick.simengine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One sample of the exposition: where its value comes from, and the text before it.
 *
 * @param name sample name, for example {@code vllm:num_preemptions_total}; empty for a family that
 *     has no series yet, of which only the head is exposed
 * @param labels label names and values, {@code le} included
 * @param type type of the family it is exposed under
 * @param head HELP and TYPE lines that come before it; empty within a family
 * @param line the sample's line up to its value
 * @param from first value to add up, or -1 where the value is {@code constant}
 * @param to end of the values to add up; cumulated buckets and counts are sums
 * @param constant the value if it never changes
 */
record ExposedSample(
    String name,
    SortedMap<String, String> labels,
    MetricFamily.Type type,
    String head,
    String line,
    int from,
    int to,
    double constant) {

  ExposedSample {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** The sample's value, given every value of its registry. */
  double value(double[] values) {
    if (from < 0) {
      return constant;
    }
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum;
  }

  /**
   * How a family is written.
   *
   * @param name what it is called
   * @param names what all families have in common
   */
  record Form(String name, MetricNames names) {}

  /** Every sample of a family; its {@code _created} series are a family of their own. */
  static List<ExposedSample> of(
      MetricFamily family, List<RegisteredSeries> series, Form form) {
    List<ExposedSample> samples = new ArrayList<>();
    boolean isCounter = family.type() == MetricFamily.Type.COUNTER;
    String name = form.name() + (isCounter && form.names().hasTotal() ? "_total" : "");
    String help = family.help().replace("\\", "\\\\");
    String head = head(name, family.type(), help);
    if (series.isEmpty()) {
      // A family whose series come with use is announced before it has one.
      return List.of(
          new ExposedSample("", new TreeMap<>(), family.type(), head, "", -1, -1, 0));
    }
    boolean hasCreated = hasCreated(family) && form.names().hasCreated();
    String created = form.name() + "_created";
    Group group = new Group(samples, family.type(), head, form);
    for (RegisteredSeries one : series) {
      switch (family.type()) {
        case COUNTER, GAUGE -> group.add(name, one, "", one.offset(), one.offset() + 1);
        case HISTOGRAM -> histogram(group, one);
        case SUMMARY -> {
          group.add(name + "_count", one, "", one.offset(), one.offset() + 1);
          group.add(name + "_sum", one, "", one.offset() + 1, one.offset() + 2);
        }
      }
    }
    if (hasCreated) {
      MetricFamily.Type gauge = MetricFamily.Type.GAUGE;
      Group creations = new Group(samples, gauge, head(created, gauge, help), form);
      series.forEach(one -> creations.addConstant(created, one, one.createdSeconds()));
    }
    return samples;
  }

  /** HELP and TYPE lines. */
  static String head(String name, MetricFamily.Type type, String help) {
    return String.format(
        Locale.ROOT,
        "# HELP %s %s%n# TYPE %s %s%n",
        name, help, name, type.name().toLowerCase(Locale.ROOT))
        .replace(System.lineSeparator(), "\n");
  }

  private static void histogram(Group group, RegisteredSeries series) {
    double[] edges = series.family().edges();
    String name = group.form.name();
    int first = series.offset();
    for (int i = 0; i <= edges.length; i++) {
      String edge = i == edges.length ? "+Inf" : NumberText.of(edges[i]);
      group.add(name + "_bucket", series, edge, first, first + i + 1);
    }
    int sum = first + edges.length + 1;
    group.add(name + "_count", series, "", first, sum);
    group.add(name + "_sum", series, "", sum, sum + 1);
  }

  private static boolean hasCreated(MetricFamily family) {
    boolean isOfTheProcess =
        family.name().startsWith("python_") || family.name().startsWith("process_");
    return family.type() != MetricFamily.Type.GAUGE && !isOfTheProcess;
  }

  /** Samples under one head, which only the first of them carries. */
  private static final class Group {
    private final List<ExposedSample> samples;
    private final MetricFamily.Type type;
    private final Form form;
    private String head;

    Group(List<ExposedSample> samples, MetricFamily.Type type, String head, Form form) {
      this.samples = samples;
      this.type = type;
      this.head = head;
      this.form = form;
    }

    void add(String name, RegisteredSeries series, String edge, int from, int to) {
      put(name, labels(series, edge), from, to, 0);
    }

    void addConstant(String name, RegisteredSeries series, double value) {
      put(name, labels(series, ""), -1, -1, value);
    }

    private void put(
        String name, SortedMap<String, String> labels, int from, int to, double constant) {
      String line = line(name, labels);
      samples.add(new ExposedSample(name, labels, type, takeHead(), line, from, to, constant));
    }

    private String takeHead() {
      String taken = head;
      head = "";
      return taken;
    }

    private SortedMap<String, String> labels(RegisteredSeries series, String edge) {
      SortedMap<String, String> labels = new TreeMap<>();
      for (int i = 0; i < series.labels().size(); i++) {
        labels.put(series.family().labels().get(i).name(), series.labels().get(i));
      }
      if (!form.names().hasEngineLabel()) {
        labels.remove("engine");
      }
      if (!edge.isEmpty()) {
        labels.put("le", edge);
      }
      return labels;
    }

    private static String line(String name, SortedMap<String, String> labels) {
      StringBuilder line = new StringBuilder(name);
      char separator = '{';
      for (var label : labels.entrySet()) {
        line.append(separator).append(label.getKey()).append("=\"");
        line.append(escaped(label.getValue())).append('"');
        separator = ',';
      }
      return line.append(labels.isEmpty() ? " " : "} ").toString();
    }

    private static String escaped(String value) {
      return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
    }
  }
}

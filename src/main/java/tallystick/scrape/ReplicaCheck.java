package tallystick.scrape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;
import tallystick.scenario.Formatted;

/** Whether all scrapes saw one idle process of one model. */
final class ReplicaCheck {
  /** What tells of work. */
  private static final List<MetricConcept> WORK =
      List.of(
          MetricConcept.RUNNING, MetricConcept.WAITING, MetricConcept.PROMPT_TOKENS,
          MetricConcept.GENERATION_TOKENS);

  private ReplicaCheck() {}

  static List<Remark> remarks(List<Observation> observations) {
    Observation last = observations.getLast();
    List<Remark> remarks = new ArrayList<>();
    EngineFamily.Labels labels =
        last.family().orElse(MetricVocabulary.standard().families().getFirst()).labels();
    remarks.add(labels(last, labels.model(), "model", "models, which are never added up"));
    remarks.add(
        labels(last, labels.engine(), "engine", "engines: counters are added, gauges kept apart"));
    boolean hasBirth =
        last.samples().stream()
            .map(sample -> sample.series().name())
            .anyMatch(name -> Observation.isEngines(name) && name.endsWith("_created"));
    if (!hasBirth) {
      last.family().map(ReplicaCheck::noBirth).ifPresent(remarks::add);
    }
    remarks.add(oneProcess(observations));
    remarks.add(traffic(observations));
    return remarks;
  }

  /** vLLM's series tell when they began, unless several API servers show them together. */
  private static Remark noBirth(EngineFamily family) {
    boolean countsSteps =
        !MetricVocabulary.standard().namesOf(MetricConcept.ITERATION_TOKENS, family).isEmpty();
    String why =
        countsSteps
            ? ": several API servers (--api-server-count) or an exporter that leaves them out;"
                + " counts of iteration_tokens_total may be inflated and a"
            : ": a";
    return Remark.note("processes",
        "no _created series" + why + " restart shows only by counters that fall");
  }

  private static Remark labels(Observation last, String label, String one, String many) {
    SortedSet<String> values = new TreeSet<>();
    last.samples().stream()
        .filter(sample -> Observation.isEngines(sample.series().name()))
        .map(sample -> sample.series().label(label))
        .filter(value -> !value.isEmpty())
        .forEach(values::add);
    String names = String.join(", ", values);
    return switch (values.size()) {
      case 0 -> Remark.note(one, "no series carries the label " + label);
      case 1 -> Remark.good(one, names);
      default -> Remark.note(one, values.size() + " " + many + ": " + names);
    };
  }

  /** A load balancer, or a restart: births that differ and counters that fall. */
  private static Remark oneProcess(List<Observation> observations) {
    Set<Double> starts = new HashSet<>();
    String fallen = "";
    Map<Series, Double> before = new HashMap<>();
    for (Observation observation : observations) {
      observation.value(MetricConcept.PROCESS_START_TIME).ifPresent(starts::add);
      for (Sample sample : observation.samples()) {
        Series series = sample.series();
        if (series.type() == Series.Type.COUNTER) {
          Double earlier = before.put(series, sample.value());
          fallen = earlier != null && sample.value() < earlier ? series.name() : fallen;
        }
      }
    }
    if (starts.size() > 1 || !fallen.isEmpty()) {
      String sign =
          fallen.isEmpty() ? "process_start_time_seconds differs" : fallen + " went backwards";
      return Remark.untrusted("one process",
          sign + " between scrapes: a load balancer sends them to several replicas, or the "
              + "engine restarts; name each replica as a target of its own");
    }
    return Remark.good("one process", observations.size() + " scrapes saw the same process");
  }

  private static Remark traffic(List<Observation> observations) {
    boolean isShown = WORK.stream().anyMatch(each -> !observations.getLast().of(each).isEmpty());
    if (!isShown) {
      return Remark.note("traffic",
          "unknown: neither requests running or waiting nor tokens are shown");
    }
    double first = work(observations.getFirst());
    double last = work(observations.getLast());
    double running = sum(observations.getLast(), MetricConcept.RUNNING);
    double waiting = sum(observations.getLast(), MetricConcept.WAITING);
    if (first == last && running == 0 && waiting == 0) {
      return Remark.good("traffic", "none: nothing runs, waits or is counted");
    }
    String text =
        Formatted.of(
            "someone else is at work: %.0f tokens counted meanwhile, running %.0f, waiting %.0f; "
                + "both sides cannot count the same requests",
            last - first, running, waiting);
    return Remark.untrusted("traffic", text);
  }

  private static double work(Observation observation) {
    return sum(observation, MetricConcept.PROMPT_TOKENS)
        + sum(observation, MetricConcept.GENERATION_TOKENS);
  }

  private static double sum(Observation observation, MetricConcept concept) {
    return observation.of(concept).stream().mapToDouble(Sample::value).sum();
  }
}

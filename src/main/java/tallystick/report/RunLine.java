package tallystick.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.LoadSteps;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.result.Usability;
import tallystick.answer.Block;
import tallystick.answer.Mark;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.report.screen.RunAnswer;
import tallystick.report.section.Headline;

/**
 * A run in one line of the list of runs; {@code answers.json}. Its figures are in words.
 *
 * @param startedUtc ISO 8601 start of the measured window; empty where nobody knows
 * @param page the file to open
 * @param marks engine, state, ledger's verdict
 * @param verdict the first of these words
 * @param answers the first screen's words, each with what it says
 * @param figures names and values, units included
 * @param waits largest TTFT of each stretch of the run, in seconds; empty where nobody knows
 */
record RunLine(
    String name,
    String run,
    String startedUtc,
    String page,
    List<Mark> marks,
    String verdict,
    Map<String, Answer> answers,
    Map<String, String> figures,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Double> waits) {
  /** A run's page; an experiment's has another name. */
  static final String PAGE = "report.html";

  private static final List<String> ROUGH = List.of("TTFT P95", "ITL P99", "E2E P95");
  private static final int STRETCHES = 40; // as many as a cell of a table shows apart

  /** An older file tells neither the verdict's word nor how long waits were. */
  RunLine {
    verdict = verdict == null ? "" : verdict;
    waits = waits == null ? List.of() : waits;
  }

  /** One answer and how grave it is. */
  record Answer(Tone tone, String text) {}

  static RunLine of(RunAnalysis analysis) {
    Map<String, Answer> answers = answers(RunAnswer.answers(analysis));
    Map<String, String> figures = new LinkedHashMap<>();
    List<PhaseAnalysis> steps = 
        analysis.steps().map(LoadSteps::telling).orElse(List.of());
    if (steps.isEmpty()) {
      RunAnalysis.ClientLatencies client = analysis.client();
      latencies(
          figures, client.ttftFromIntended(), client.chunkGaps(), client.e2eFromIntended(), "");
      figures.put("ok", Numbers.count(analysis.counts().ok()));
      figures.put("tokens/s", Numbers.number(analysis.counts().completionTokensPerSecond()));
    } else {
      PhaseAnalysis step = steps.getFirst();
      String at = " at " + Numbers.number(step.offeredPerSecond()) + "/s";
      latencies(figures, step.ttft(), step.chunkGaps(), step.e2e(), at);
      figures.put("ok", Numbers.count(analysis.counts().ok()));
    }
    if (Usability.of(analysis).isRough()) {
      ROUGH.forEach(name -> figures.computeIfPresent(name, (any, words) -> "~" + words));
    }
    return new RunLine(
        analysis.run().scenario(),
        analysis.run().runId(),
        analysis.run().startedUtc(),
        PAGE,
        Headline.marks(analysis),
        RunAnswer.answers(analysis).getFirst().mark().word(),
        answers,
        figures,
        waits(analysis.timeline()));
  }

  private static List<Double> waits(Timeline timeline) {
    double[] values =
        timeline.client().stream()
            .filter(track -> track.name().equals("ttft_max"))
            .findFirst()
            .map(Timeline.Track::values)
            .orElse(new double[0]);
    int each = Math.max(1, (values.length + STRETCHES - 1) / STRETCHES);
    List<Double> waits = new ArrayList<>();
    for (int from = 0; from < values.length; from += each) {
      int to = Math.min(values.length, from + each);
      waits.add(Arrays.stream(values, from, to).filter(Double::isFinite).max().orElse(0));
    }
    return waits;
  }

  /** The words of a first screen, each with its first line. */
  static Map<String, Answer> answers(List<Block.Item> items) {
    Map<String, Answer> answers = new LinkedHashMap<>();
    for (Block.Item item : items) {
      String word = item.mark().word();
      if (!word.isEmpty()) {
        answers.putIfAbsent(word, new Answer(item.mark().tone(), item.text()));
      }
    }
    return answers;
  }

  private static void latencies(
      Map<String, String> figures, Distribution ttft, Distribution gaps, Distribution e2e,
      String at) {
    figures.put("TTFT P95", Numbers.latency(ttft.percentile(0.95)) + at);
    figures.put("ITL P99", Numbers.latency(gaps.percentile(0.99)) + at);
    figures.put("E2E P95", Numbers.latency(e2e.percentile(0.95)) + at);
  }
}

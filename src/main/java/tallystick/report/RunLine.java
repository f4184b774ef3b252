package tallystick.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Mark;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.report.screen.RunAnswer;
import tallystick.report.section.Headline;

/**
 * A run in one line of the list of runs; {@code answers.json}. Everything in it is in words.
 *
 * @param startedUtc ISO 8601 start of the measured window; empty where nobody knows
 * @param page the file to open
 * @param marks engine, state, ledger's verdict
 * @param answers the first screen's words, each with what it says
 * @param figures names and values, units included
 */
record RunLine(
    String name,
    String run,
    String startedUtc,
    String page,
    List<Mark> marks,
    Map<String, Answer> answers,
    Map<String, String> figures) {

  /** One answer and how grave it is. */
  record Answer(Tone tone, String text) {}

  static RunLine of(RunAnalysis analysis) {
    Map<String, Answer> answers = answers(RunAnswer.answers(analysis));
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("TTFT P95", latency(analysis.client().ttftFromIntended()));
    figures.put("ITL P99", Numbers.latency(analysis.client().chunkGaps().percentile(0.99)));
    figures.put("E2E P95", latency(analysis.client().e2eFromIntended()));
    figures.put("ok", Numbers.count(analysis.counts().ok()));
    figures.put(
        "tokens/s", Numbers.number(analysis.counts().completionTokensPerSecond()));
    return new RunLine(
        analysis.run().scenario(),
        analysis.run().runId(),
        analysis.run().startedUtc(),
        "report.html",
        Headline.marks(analysis),
        answers,
        figures);
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

  private static String latency(tallystick.analysis.result.Distribution samples) {
    return Numbers.latency(samples.percentile(0.95));
  }
}

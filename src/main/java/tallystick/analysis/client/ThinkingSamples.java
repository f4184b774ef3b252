package tallystick.analysis.client;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Thinking;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.RequestRow;

/** What the requests that ended well thought before they answered; in one pass. */
final class ThinkingSamples {
  private final TimedSamples answerTtft;

  /** Thinking tokens → requests that had so many. */
  private final TreeMap<Integer, Long> lengths = new TreeMap<>();

  private long requests;
  private long withoutAnswer;
  private long untold;
  private long told;
  private long thinkingTokens;
  private long outputTokens;

  ThinkingSamples(TimeUnits time) {
    answerTtft = new TimedSamples(new SampleSet(), time);
  }

  void read(RequestRow row) {
    long answer = row.answerNanos();
    if (answer != RequestRow.NEVER) {
      answerTtft.add(answer - row.times().intended(), answer);
    }
    if (!row.hasThought()) {
      return;
    }
    requests++;
    withoutAnswer += answer == RequestRow.NEVER && !row.isUnstreamed() ? 1 : 0;
    int tokens = row.thinkingTokens();
    if (tokens == RequestRow.UNKNOWN || row.outputTokens() == RequestRow.UNKNOWN) {
      untold++;
      return;
    }
    told++;
    lengths.merge(tokens, 1L, Long::sum);
    thinkingTokens += tokens;
    outputTokens += row.outputTokens();
  }

  Thinking thinking(Optional<String> whyNoMoments) {
    return new Thinking(
        requests, withoutAnswer, answerTtft.distribution(whyNoMoments), over(thinkingTokens, told),
        quantile(0.5), quantile(0.95), over(thinkingTokens, outputTokens), untold);
  }

  private Figure over(long sum, long count) {
    return count == 0 ? none() : Figure.of((double) sum / count);
  }

  private Figure quantile(double level) {
    long rank = (long) Math.ceil(level * told);
    long below = 0;
    for (Map.Entry<Integer, Long> length : lengths.entrySet()) {
      below += length.getValue();
      if (below >= rank) {
        return Figure.of(length.getKey());
      }
    }
    return none();
  }

  private Figure none() {
    return Figure.missing(requests == 0 ? "no thinking" : "no thinking told its tokens");
  }
}

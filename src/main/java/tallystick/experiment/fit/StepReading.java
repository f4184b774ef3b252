package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/**
 * The engine's steps, read from when tokens arrived.
 *
 * <p>An engine that decodes gives each running request one token a step, the oldest first. So the
 * oldest running request is the clock: between two of its tokens lies one step, and what arrives
 * from one of its tokens up to the next left with the first of the two. On a busy client's machine
 * the threads of the streams wake up in any order. So what arrives just before the clock's next
 * token is of the next step if it is its stream's second one, or lies nearer to the clock's than to
 * the one before it. Steps in which a token came twice otherwise, was bundled with another, or
 * followed a preemption are left out and counted.
 *
 * <p>A prompt that waited while a step had room for part of it was begun in that step, as vLLM
 * does. One that could have been done earlier altogether waited for something else.
 */
final class StepReading {
  /** Half of what chance gives. */
  private static final double AT_ONCE = 0.35;

  /** So large a part of a step may lie between its first token and the clock's. */
  private static final double EARLY = 0.2;

  private final List<Stream> streams;
  private final List<Token> tokens = new ArrayList<>();
  private final List<Token> early = new ArrayList<>();
  private final Map<Stream, Integer> lastStep = new HashMap<>();
  private final List<ObservedStep> steps = new ArrayList<>();
  private final List<RequestStart> besideOthers = new ArrayList<>();
  private final int budget;
  private int number;
  private int place;
  private int leftOut;

  /** A request that got tokens. */
  private record Stream(RequestRow row, long[] arrivals, int[] counts, int prompt, int computed) {
    long first() {
      return arrivals[0];
    }

    long last() {
      return arrivals[arrivals.length - 1];
    }

    /** From when it was sent, a new connection's set-up apart. */
    double until(long nanos) {
      return nanos - row.times().started() - row.times().connectNanos();
    }

    boolean isSingle(int chunk) {
      return counts[chunk] == 1 || counts[chunk] == RequestRow.UNKNOWN;
    }
  }

  /** A chunk of a stream, with the tokens the stream had before. */
  private record Token(long atNanos, Stream stream, int chunk, int before) {}

  /** What arrived within one step. */
  private static final class Window {
    private final long begin;
    private final List<Stream> firsts = new ArrayList<>();
    private double room;
    private double prompt;
    private double pairs;
    private double decodes;
    private double context;
    private long earliest = Long.MAX_VALUE;
    private long arrivals;
    private int tokens;
    private boolean isOdd;

    Window(long begin) {
      this.begin = begin;
    }

    void arrives(long nanos) {
      tokens++;
      arrivals += nanos;
      earliest = Math.min(earliest, nanos);
    }

    /** Tokens that came after the first. */
    int others() {
      return tokens - 1;
    }

    /** How much later than the first those came, on average. */
    double meanOffsetNanos() {
      return others() == 0 ? 0 : (arrivals - tokens * earliest) / (double) others();
    }

    double[] work() {
      return new double[] {1, prompt, pairs, decodes, context, 0, 0};
    }

    /** Computes a prompt on from one of its tokens; gives the next. */
    int compute(Stream stream, int from, double most) {
      int to = (int) Math.min(stream.prompt, from + Math.max(0, most));
      if (to > from) {
        prompt += to - from;
        pairs += (to - from) * (from + to) / 2.0;
        context += to;
        room -= to - from;
      }
      return to;
    }
  }

  /**
   * Reads the steps of one engine.
   *
   * @param budget prompt tokens and decodes that it computes in a step at most
   */
  StepReading(List<RequestRow> rows, int budget) {
    this.budget = budget;
    streams =
        rows.stream()
            .filter(row -> row.chunks().size() > 0 && promptTokens(row) >= 0)
            .map(StepReading::stream)
            .sorted(Comparator.comparingLong(Stream::first))
            .toList();
    for (Stream stream : streams) {
      int before = 0;
      for (int chunk = 0; chunk < stream.arrivals.length; chunk++) {
        tokens.add(new Token(stream.arrivals[chunk], stream, chunk, before));
        before += Math.max(1, stream.counts[chunk]);
      }
    }
    // The sort is stable: tokens of one moment stay in the order of their streams.
    tokens.sort(Comparator.comparingLong(Token::atNanos));
    long reached = Long.MIN_VALUE;
    for (Stream stream : streams) {
      if (stream.last() > reached) {
        follow(stream, reached);
        reached = stream.last();
      }
    }
  }

  private static Stream stream(RequestRow row) {
    int prompt = promptTokens(row);
    return new Stream(
        row, row.chunks().arrivalNanos(), row.chunks().tokens(), prompt,
        prompt - Math.max(0, row.usage().cachedTokens()));
  }

  private static int promptTokens(RequestRow row) {
    return row.usage().isKnown() ? row.usage().promptTokens() : row.promptTokens();
  }

  /** The steps that can be read. */
  List<ObservedStep> steps() {
    return steps;
  }

  /** Steps that were seen but cannot be read. */
  int leftOut() {
    return leftOut;
  }

  /** Requests whose begin tells what a request costs, in order of time. */
  List<RequestStart> starts() {
    List<RequestStart> all = new ArrayList<>(followsEnds() ? List.of() : besideOthers);
    all.addAll(idleStarts());
    all.sort(Comparator.comparingLong(RequestStart::atNanos));
    return all;
  }

  /**
   * Whether requests come when others end, as in a closed loop. Answers end when a step does, so
   * these do not come at any moment of it. Requests that come by chance come 0.69 of the mean time
   * between two of them after the latest end, in the middle, or later.
   */
  private boolean followsEnds() {
    List<Long> begins = streams.stream().map(one -> one.row.times().started()).sorted().toList();
    long[] ends = streams.stream().mapToLong(one -> one.row.times().ended()).sorted().toArray();
    List<Long> after = new ArrayList<>();
    for (long begin : begins) {
      int place = Arrays.binarySearch(ends, begin);
      int before = place >= 0 ? place : -place - 2;
      if (before >= 0) {
        after.add(begin - ends[before]);
      }
    }
    if (after.isEmpty()) {
      return false;
    }
    after.sort(Comparator.naturalOrder());
    double apart = (begins.getLast() - begins.getFirst()) / (double) begins.size();
    return after.get(after.size() / 2) < AT_ONCE * apart;
  }

  /** Requests that nobody else's were beside until their first token. */
  private List<RequestStart> idleStarts() {
    List<Stream> byStart =
        streams.stream()
            .sorted(Comparator.comparingLong(one -> one.row.times().started()))
            .toList();
    List<RequestStart> idle = new ArrayList<>();
    long busyUntil = Long.MIN_VALUE;
    for (int i = 0; i < byStart.size(); i++) {
      Stream stream = byStart.get(i);
      long started = stream.row.times().started();
      long next =
          i + 1 < byStart.size() ? byStart.get(i + 1).row.times().started() : Long.MAX_VALUE;
      boolean fits = stream.computed <= budget && stream.row.ending().outcome() == Outcome.OK;
      if (started > busyUntil && next > stream.first() && fits) {
        double computed = stream.computed;
        double pairs = computed * (stream.prompt - computed / 2);
        idle.add(
            RequestStart.idle(
                started, stream.until(stream.first()),
                new double[] {1, computed, pairs, 0, stream.prompt, 1, 1}));
      }
      busyUntil = Math.max(busyUntil, stream.row.times().ended());
    }
    return idle;
  }

  /** A request whose whole prompt was computed alone, right behind two steps with no prompt. */
  private void addStart(Window earlier, Window before, Window window) {
    boolean isOdd = earlier.isOdd || before.isOdd || window.isOdd;
    if (isOdd || window.firsts.size() != 1 || earlier.prompt + before.prompt > 0) {
      return;
    }
    Stream stream = window.firsts.getFirst();
    if (window.prompt == stream.computed && stream.row.ending().outcome() == Outcome.OK) {
      besideOthers.add(
          new RequestStart(
              stream.row.times().started(), stream.until(window.begin),
              new double[] {0, 0, 0, 0, 0, 1, 0}, window.begin - earlier.begin, earlier.work()));
    }
  }

  private void follow(Stream clock, long reached) {
    long[] at = clock.arrivals;
    int from = 0;
    while (at[from] <= reached) {
      from++;
    }
    skipTo(at[from]);
    if (from + 1 < at.length) {
      window(reached, at[from], at[from + 1]);
    }
    int first = from + 1;
    List<Window> windows = new ArrayList<>();
    for (int k = first; k + 1 < at.length; k++) {
      Window window = window(at[k - 1], at[k], at[k + 1]);
      window.isOdd |= !clock.isSingle(k) || !clock.isSingle(k + 1);
      windows.add(window);
    }
    sharePromptsOut(windows);
    for (int i = 0; i < windows.size(); i++) {
      Window window = windows.get(i);
      if (window.isOdd || i > 0 && windows.get(i - 1).isOdd) {
        leftOut++;
        continue;
      }
      if (i > 1) {
        addStart(windows.get(i - 2), windows.get(i - 1), window);
      }
      int k = first + i;
      steps.add(
          new ObservedStep(
              at[k], at[k] - at[k - 1], window.work(), window.others(),
              window.meanOffsetNanos()));
    }
  }

  /** Tokens between two clocks: in which steps they left is not told. */
  private void skipTo(long nanos) {
    number++;
    early.forEach(token -> lastStep.put(token.stream, number));
    early.clear();
    for (; place < tokens.size() && tokens.get(place).atNanos < nanos; place++) {
      lastStep.put(tokens.get(place).stream, number);
    }
  }

  private Window window(long begin, long from, long to) {
    Window window = new Window(begin);
    number++;
    early.forEach(token -> add(window, token));
    early.clear();
    double late = to - EARLY * (to - from);
    long before = from;
    for (; place < tokens.size() && tokens.get(place).atNanos < to; place++) {
      Token token = tokens.get(place);
      boolean isOfNext =
          to - token.atNanos < token.atNanos - before
              || lastStep.getOrDefault(token.stream, 0) == number;
      if (isOfNext && token.atNanos >= late) {
        early.add(token);
      } else {
        before = token.atNanos;
        add(window, token);
      }
    }
    return window;
  }

  private void add(Window window, Token token) {
    Stream stream = token.stream;
    int count = Math.max(1, stream.counts[token.chunk]);
    int last = lastStep.getOrDefault(stream, number - 1);
    // Twice in a step: the clock stood still. Long away and not bundled: preempted.
    boolean isBack = token.chunk > 0 && number - last > 2 && count == 1;
    window.isOdd |= last == number || isBack;
    lastStep.put(stream, number);
    window.arrives(token.atNanos);
    if (token.chunk == 0) {
      window.firsts.add(stream);
      window.decodes += count - 1;
    } else {
      window.decodes += count;
      window.context += stream.prompt + token.before;
    }
  }

  /** Prompts were computed in the step of their first token, as far as those before had no room. */
  private void sharePromptsOut(List<Window> windows) {
    windows.forEach(window -> window.room = budget - window.decodes);
    for (int last = 0; last < windows.size(); last++) {
      for (Stream stream : windows.get(last).firsts) {
        shareOut(stream, windows, last);
      }
    }
  }

  private static void shareOut(Stream stream, List<Window> windows, int last) {
    int begin = last;
    double room = 0;
    while (begin > 0 && stream.row.times().started() <= windows.get(begin - 1).begin) {
      begin--;
      room += Math.max(0, windows.get(begin).room);
    }
    if (room >= stream.computed) {
      // It waited for something else. What does not fit into the last step was just before.
      begin = last;
      double over = stream.computed - windows.get(last).room;
      while (begin > 0 && over > 0) {
        begin--;
        over -= Math.max(0, windows.get(begin).room);
      }
    }
    int next = stream.prompt - stream.computed;
    for (int i = begin; i < last; i++) {
      next = windows.get(i).compute(stream, next, windows.get(i).room);
    }
    Window end = windows.get(last);
    // More than a step can compute: part of it was done where nobody saw.
    end.isOdd |= stream.prompt - next > end.room + 1;
    end.compute(stream, next, stream.prompt);
  }
}

package tallystick.analysis.change;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.LatencyDecomposition;
import tallystick.analysis.client.ClientIntervals.Column;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.WaitPart;
import tallystick.analysis.statistics.Estimate;

/**
 * Takes the rise of a mean between two periods apart, by the same exact means as {@link
 * LatencyDecomposition}. What each part gained adds up to what the whole gained.
 *
 * @param isOtherwise whether the judged period surely differs in what was asked of the engine or in
 *     what the engine does: then its rise is its own, and only the reference's spread may be chance
 * @param margin a rise must exceed its interval so many times
 */
record ChangeWaterfall(
    PeriodSums judged, PeriodSums reference, boolean isOtherwise, double margin) {
  /** In the order of the client's columns. */
  private static final List<WaitPart> CLIENT_PARTS =
      List.of(WaitPart.WHOLE, WaitPart.LATENESS, WaitPart.CONNECT, WaitPart.TLS, WaitPart.WRITE);

  /** A rise of so many standard errors of the reference is none of its own. */
  private static final double ERRORS = 3;

  /** TTFT and E2E, and decode taken apart where the engine tells of it. */
  List<Change> all() {
    List<Change> all = new ArrayList<>();
    add(all, Latency.TTFT, ttft(judged), ttft(reference));
    add(all, Latency.E2E, e2e(judged), e2e(reference));
    addDecode(all);
    return all;
  }

  private void add(
      List<Change> all, Latency quantity, Map<WaitPart, Estimate> now,
      Map<WaitPart, Estimate> before) {
    if (!now.get(WaitPart.WHOLE).isKnown() || !before.get(WaitPart.WHOLE).isKnown()) {
      return;
    }
    boolean sameParts = now.keySet().equals(before.keySet());
    Map<WaitPart, Estimate> here = sameParts ? now : clientParts(now);
    Map<WaitPart, Estimate> there = sameParts ? before : clientParts(before);
    Interval rise = here.get(WaitPart.WHOLE).riseFrom(there.get(WaitPart.WHOLE));
    List<Change.Part> parts = new ArrayList<>();
    here.forEach(
        (name, estimate) -> {
          Estimate other = there.get(name);
          if (name != WaitPart.TLS || estimate.value() > 0 || other.value() > 0) {
            parts.add(part(name, estimate, other, rise));
          }
        });
    Change.Part whole = parts.remove(0);
    all.add(new Change(quantity, whole, parts));
  }

  /** The engine's own parts put together again. */
  private static Map<WaitPart, Estimate> clientParts(Map<WaitPart, Estimate> parts) {
    Map<WaitPart, Estimate> less = new EnumMap<>(WaitPart.class);
    for (WaitPart name : CLIENT_PARTS) {
      less.put(name, parts.get(name));
    }
    Estimate rest = parts.get(WaitPart.WHOLE);
    for (WaitPart name : CLIENT_PARTS.subList(1, CLIENT_PARTS.size())) {
      rest = rest.minus(parts.get(name));
    }
    less.put(WaitPart.AFTER_WRITTEN, rest);
    return less;
  }

  private Change.Part part(WaitPart name, Estimate now, Estimate before, Interval wholeRise) {
    Interval rise = now.riseFrom(before);
    double whole = wholeRise.value().orNaN();
    Figure share =
        whole > 0
            ? Figure.of(rise.value().orNaN() / whole)
            : Figure.missing("the whole did not rise");
    double gained = rise.value().orNaN();
    boolean grew =
        gained > margin * (gained - rise.low().orNaN())
            || isOtherwise && gained > margin * ERRORS * before.error();
    // Client and engine hold different requests at the borders of a stretch. A mean below 0 shows
    // by how much that spoils it.
    double spoiled = -Math.min(0, Math.min(before.value(), now.value()));
    return new Change.Part(name, time(before), time(now), rise, share, grew && gained > spoiled);
  }

  private static Figure time(Estimate mean) {
    return mean.value() < 0
        ? Figure.missing("below 0: client and engine hold different requests at its borders")
        : Figure.of(mean.value());
  }

  private static Map<WaitPart, Estimate> ttft(PeriodSums of) {
    Map<WaitPart, Estimate> parts = waits(of, Column.FIRSTS);
    Estimate written = of.perClient(Column.FIRST_FROM_WRITTEN, Column.FIRSTS);
    // The TTFT histogram counts requests at their first token, the other families at their end. On
    // a growing queue these are different requests, and their difference would look like a part.
    return withEngine(
        parts, of, written, of.engineMean(Latency.E2E).minus(of.engineMean(Latency.DECODE)),
        WaitPart.OF_TTFT);
  }

  private static Map<WaitPart, Estimate> e2e(PeriodSums of) {
    Map<WaitPart, Estimate> parts = waits(of, Column.ENDS);
    Estimate written = of.perClient(Column.END_FROM_WRITTEN, Column.ENDS);
    if (of.conditions().toStreamEnd()) {
      Estimate tail = of.perClient(Column.END_TAIL, Column.ENDS);
      parts.put(WaitPart.WHOLE, parts.get(WaitPart.WHOLE).plus(tail));
      written = written.plus(tail);
    }
    return withEngine(parts, of, written, of.engineMean(Latency.E2E), WaitPart.OF_E2E);
  }

  /** Whole, lateness, connect, tls and write, from the columns that follow the count. */
  private static Map<WaitPart, Estimate> waits(PeriodSums of, Column count) {
    Column[] all = Column.values();
    Map<WaitPart, Estimate> parts = new EnumMap<>(WaitPart.class);
    int next = count.ordinal();
    for (WaitPart name : CLIENT_PARTS) {
      next++;
      parts.put(name, of.perClient(all[next], count));
    }
    return parts;
  }

  private static Map<WaitPart, Estimate> withEngine(
      Map<WaitPart, Estimate> parts, PeriodSums of, Estimate written, Estimate engine,
      Map<WaitPart, Latency> inside) {
    List<Estimate> means = inside.values().stream().map(of::engineMean).toList();
    if (!engine.isKnown() || !means.stream().allMatch(Estimate::isKnown)) {
      parts.put(WaitPart.AFTER_WRITTEN, written);
      return parts;
    }
    Estimate rest = engine;
    for (Estimate mean : means) {
      rest = rest.minus(mean);
    }
    parts.put(WaitPart.OUTSIDE, written.minus(engine));
    parts.put(WaitPart.API_SERVER, rest);
    inside.forEach((name, latency) -> parts.put(name, of.engineMean(latency)));
    return parts;
  }

  /**
   * Decoding lasts longer for more tokens or for slower ones. Each is weighed with the other's mean
   * of both periods, so that the two add up.
   */
  private void addDecode(List<Change> all) {
    Decoding now = decoding(judged);
    Decoding before = decoding(reference);
    if (!now.isKnown() || !before.isKnown()) {
      return;
    }
    double meanPace = (now.pace() + before.pace()) / 2;
    double meanTokens = (now.tokens.value() + before.tokens.value()) / 2;
    Interval rise = now.seconds.riseFrom(before.seconds);
    Change.Part whole = part(WaitPart.DECODE, now.seconds, before.seconds, rise);
    all.add(new Change(
        Latency.DECODE, whole,
        List.of(
            part(WaitPart.ANSWER_LENGTH, now.byTokens(meanPace), before.byTokens(meanPace), rise),
            part(WaitPart.TOKEN_PACE, now.byPace(meanTokens), before.byPace(meanTokens), rise))));
  }

  private static Decoding decoding(PeriodSums of) {
    return new Decoding(
        of.engineMean(Latency.DECODE), of.perClient(Column.LATER_TOKENS, Column.ANSWERS));
  }

  private record Decoding(Estimate seconds, Estimate tokens) {
    boolean isKnown() {
      return seconds.isKnown() && tokens.isKnown() && tokens.value() > 0;
    }

    double pace() {
      return seconds.value() / tokens.value();
    }

    Estimate byTokens(double pace) {
      return tokens.combined(tokens.value() * pace, pace, tokens, 0);
    }

    Estimate byPace(double length) {
      double count = tokens.value();
      return seconds.combined(pace() * length, length / count, tokens, -length * pace() / count);
    }
  }
}

package tallystick.virtualrun;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.VirtualEngine;
import tallystick.simengine.VirtualRequest;

/**
 * Requests that were measured, put to the engine in virtual time: the same lengths at the same
 * starts; a closed loop's later request as long after the end of the one before as it was measured.
 */
public final class VirtualReplay {

  private final VirtualEngine engine;
  private final long wayNanos;
  private final List<RequestRow> replayed = new ArrayList<>();

  private VirtualReplay(EngineSettings settings, long wayNanos) {
    this.engine = new VirtualEngine(settings, 0);
    this.wayNanos = wayNanos;
  }

  /**
   * What these requests would have seen.
   *
   * @param rows measured requests; those that got no answer are left out
   * @param wayNanos from client to server, and back
   */
  public static List<RequestRow> of(
      List<RequestRow> rows, EngineSettings settings, long wayNanos) {
    VirtualReplay replay = new VirtualReplay(settings, wayNanos);
    List<RequestRow> answered =
        rows.stream()
            .filter(row -> row.ending().outcome() == Outcome.OK && row.usage().isKnown())
            .sorted(Comparator.comparingLong(row -> row.times().started()))
            .toList();
    Collection<List<RequestRow>> users =
        answered.stream().collect(Collectors.groupingBy(RequestRow::user)).values();
    if (users.stream().anyMatch(VirtualReplay::overlaps)) {
      users = places(answered);
    }
    for (List<RequestRow> user : users) {
      Iterator<RequestRow> rest = user.iterator();
      RequestRow first = rest.next();
      replay.engine.at(first.times().started(), () -> replay.send(first, rest));
    }
    replay.engine.run();
    return List.copyOf(replay.replayed);
  }

  /** Whether one starts before the one before has ended, so that it did not wait for it. */
  private static boolean overlaps(List<RequestRow> user) {
    return IntStream.range(1, user.size())
        .anyMatch(i -> user.get(i).times().started() < user.get(i - 1).times().ended());
  }

  /** A closed loop gives the next request to the place that is free: the one that ended last. */
  private static List<List<RequestRow>> places(List<RequestRow> rows) {
    List<List<RequestRow>> places = new ArrayList<>();
    for (RequestRow row : rows) {
      List<RequestRow> place =
          places.stream()
              .filter(one -> one.getLast().phase().equals(row.phase()))
              .filter(one -> one.getLast().times().ended() <= row.times().started())
              .max(Comparator.comparingLong(one -> one.getLast().times().ended()))
              .orElseGet(ArrayList::new);
      if (place.isEmpty()) {
        places.add(place);
      }
      place.add(row);
    }
    return places;
  }

  private void send(RequestRow row, Iterator<RequestRow> rest) {
    long started = engine.nanos();
    Call call = new Call(row, started, rest);
    engine.at(
        started + wayNanos,
        () ->
            engine.submit(
                new VirtualRequest(
                    prompt(row), Math.max(1, row.usage().completionTokens()), 1),
                call));
  }

  /** Tokens of its own: which prompts were alike is not recorded. */
  private static int[] prompt(RequestRow row) {
    int[] tokens = new int[Math.max(1, row.usage().promptTokens())];
    for (int i = 0; i < tokens.length; i++) {
      int word = Math.floorMod(31 * row.index() + 17 * i, VirtualPrompt.WORDS);
      tokens[i] = VirtualPrompt.FIRST_WORD + word;
    }
    return tokens;
  }

  /** One request on its way. */
  private final class Call implements VirtualRequest.Observer {
    private final RequestRow row;
    private final long started;
    private final Iterator<RequestRow> rest;
    private final long[] arrivals;
    private int count;

    Call(RequestRow row, long started, Iterator<RequestRow> rest) {
      this.row = row;
      this.started = started;
      this.rest = rest;
      this.arrivals = new long[Math.max(1, row.usage().completionTokens())];
    }

    @Override
    public void tokens(long nanos, int choice, int[] tokens) {
      arrivals[count++] = nanos + wayNanos;
    }

    @Override
    public void ended(long nanos, int choice, VirtualRequest.Ending ending) {
      long end = nanos + wayNanos;
      int[] tokens = new int[count];
      Arrays.fill(tokens, 1);
      replayed.add(
          new RequestRow(
              row.index(), row.phase(), row.requestClass(), row.user(), row.target(),
              row.requestId(), row.promptTokens(), row.maxTokens(),
              new RequestRow.Times(
                  started, started, RequestRow.NEVER, RequestRow.NEVER, started, arrivals[0],
                  arrivals[0], end, RequestRow.NEVER),
              new RequestRow.Chunks(Arrays.copyOf(arrivals, count), tokens, 0),
              row.usage(), row.ending(), RequestRow.EngineTimings.NONE));
      if (rest.hasNext()) {
        RequestRow next = rest.next();
        long pause = Math.max(0, next.times().started() - row.times().ended());
        engine.at(end + pause, () -> send(next, rest));
      }
    }
  }
}

package tallystick.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.scenario.Dataset.Entry;
import tallystick.scenario.Dataset.Tokens;

/**
 * Puts the rows of a data set together, in the order of their sessions and times.
 *
 * <p>Equal hash ids are equal blocks behind equal blocks. Blocks at a prompt's end whose ids come
 * once in the file are shared with nobody; they are left out, so that their tokens are unique.
 */
final class EntryOrder {
  private EntryOrder() {}

  static List<Entry> of(List<Entry> rows, DatasetFormat format) {
    return byTime(sessions(withoutUnsharedTails(rows), format));
  }

  private static List<Entry> withoutUnsharedTails(List<Entry> entries) {
    Map<Long, Integer> uses = new HashMap<>();
    for (Entry entry : entries) {
      if (entry.turns().getFirst() instanceof Tokens tokens) {
        tokens.blocks().forEach(block -> uses.merge(block.id(), 1, Integer::sum));
      }
    }
    return uses.isEmpty()
        ? entries
        : entries.stream().map(entry -> withoutUnsharedTail(entry, uses)).toList();
  }

  private static Entry withoutUnsharedTail(Entry entry, Map<Long, Integer> uses) {
    if (!(entry.turns().getFirst() instanceof Tokens one)) {
      return entry;
    }
    int kept = one.blocks().size();
    while (kept > 0 && uses.get(one.blocks().get(kept - 1).id()) == 1) {
      kept--;
    }
    List<Dataset.Block> blocks = one.blocks().subList(0, kept);
    Tokens shared =
        new Tokens(one.promptTokens(), blocks, one.outputTokens(), one.pauseNanos());
    return new Entry(entry.atNanos(), List.of(shared), entry.session(), entry.links());
  }

  /** Rows of one session as the turns of one entry, in the order of their times. */
  private static List<Entry> sessions(List<Entry> rows, DatasetFormat format) {
    if (rows.stream().allMatch(row -> row.session().isEmpty())) {
      return rows;
    }
    Map<String, List<Entry>> sessions = new LinkedHashMap<>();
    for (Entry row : rows) {
      String name = row.session().isEmpty() ? "\n" + sessions.size() : row.session();
      sessions.computeIfAbsent(name, key -> new ArrayList<>()).add(row);
    }
    return sessions.values().stream().map(own -> session(own, format)).toList();
  }

  private static Entry session(List<Entry> rows, DatasetFormat format) {
    // Later turns may have a pause in place of a time.
    if (rows.stream().allMatch(row -> row.atNanos() != Dataset.NO_TIME)) {
      rows.sort(Comparator.comparingLong(Entry::atNanos));
    }
    List<Dataset.Turn> turns = new ArrayList<>();
    List<Dataset.Link> links = new ArrayList<>();
    Map<Integer, Long> histories = new HashMap<>();
    for (Entry row : rows) {
      Dataset.Link link = row.link(0);
      links.add(link);
      for (Dataset.Turn turn : row.turns()) {
        Long history = link.forgets() ? null : histories.get(link.agent());
        Dataset.Turn added = history == null ? turn : added(turn, history, format);
        turns.add(added);
        long before = history == null || !format.has("calls") ? 0 : history;
        Dataset.Turn said = format.has("calls") ? added : turn;
        histories.put(
            link.agent(),
            said instanceof Tokens tokens
                ? before + tokens.promptTokens() + tokens.outputTokens()
                : 0L);
      }
    }
    boolean isChain = links.stream().allMatch(Dataset.Link.PREVIOUS::equals);
    return new Entry(
        rows.getFirst().atNanos(), turns, rows.getFirst().session(),
        isChain ? List.of() : links);
  }

  /** What a turn adds to a history of so many tokens. */
  private static Dataset.Turn added(Dataset.Turn turn, long history, DatasetFormat format) {
    // Where a pause marks what is added to a session, no row holds what came before.
    boolean isAdded = format.has("added") && turn.pauseNanos() != Dataset.NO_PAUSE;
    // A recorded call holds it, or what its agent kept: thinking is left out of histories.
    boolean holdsIt = format.has("calls") && turn instanceof Tokens;
    return turn.behind(
        isAdded
            ? 0
            : holdsIt ? Math.min(history, ((Tokens) turn).promptTokens() - 1) : history);
  }

  /** Entries by time with the first at 0, where every one has a time; else as they lie. */
  private static List<Entry> byTime(List<Entry> entries) {
    if (entries.stream().anyMatch(entry -> entry.atNanos() == Dataset.NO_TIME)) {
      return entries;
    }
    long first = entries.stream().mapToLong(Entry::atNanos).min().orElse(0);
    return entries.stream()
        .sorted(Comparator.comparingLong(Entry::atNanos))
        .map(
            entry ->
                new Entry(
                    entry.atNanos() - first, entry.turns(), entry.session(), entry.links()))
        .toList();
  }
}

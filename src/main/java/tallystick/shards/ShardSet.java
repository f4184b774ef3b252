package tallystick.shards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tallystick.runrecord.ClockBracket;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.Shard;
import tallystick.scenario.Target;

/**
 * The shards of one run, by index; some may be missing. What cannot belong together is refused;
 * what only spoils the run is among its {@link #faults}.
 */
public final class ShardSet {
  private final TreeMap<Integer, ShardRecord> shards;
  private final List<String> faults;

  private ShardSet(TreeMap<Integer, ShardRecord> shards) {
    this.shards = shards;
    this.faults = findFaults();
  }

  /**
   * Opens the shards in some folders; each holds a shard's record, or several shards' folders.
   *
   * @throws ShardsException if they are not shards of one run
   * @throws IOException if one cannot be read
   */
  public static ShardSet open(List<Path> folders) throws IOException, ShardsException {
    TreeMap<Integer, ShardRecord> shards = new TreeMap<>();
    for (Path folder : ShardRecord.folders(folders)) {
      ShardRecord next = ShardRecord.open(folder);
      if (!shards.isEmpty()) {
        checkOfOneRun(shards.firstEntry().getValue(), next);
      }
      ShardRecord twice = shards.putIfAbsent(next.shard().index(), next);
      if (twice != null) {
        throw new ShardsException(
            next.shard().words() + " is there twice: " + twice.folder() + " and " + next.folder());
      }
    }
    return new ShardSet(shards);
  }

  private static void checkOfOneRun(ShardRecord first, ShardRecord other)
      throws IOException, ShardsException {
    requireSame(first, other, given(first), given(other));
    if (Files.mismatch(first.plan(), other.plan()) >= 0) {
      throw differ(first, other, "another plan.json: were scenario and options the same?");
    }
    if (!first.shard().isOfOneRun(other.shard())) {
      throw differ(first, other, "another --drain");
    }
    requireSame(first, other, made(first), made(other));
  }

  private static void requireSame(
      ShardRecord first, ShardRecord other, Map<String, String> ours, Map<String, String> theirs)
      throws ShardsException {
    for (Map.Entry<String, String> fact : ours.entrySet()) {
      String found = theirs.get(fact.getKey());
      if (!fact.getValue().equals(found)) {
        throw differ(first, other, fact.getKey() + " " + fact.getValue() + " and " + found);
      }
    }
  }

  private static ShardsException differ(ShardRecord one, ShardRecord other, String what) {
    return new ShardsException(
        one.folder() + " and " + other.folder() + " are not shards of one run: " + what);
  }

  /** What was typed for a shard; it decides run and nonce, which say nothing to who typed it. */
  private static Map<String, String> given(ShardRecord record) {
    Manifest manifest = record.manifest();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("scenario", manifest.scenario());
    facts.put("number of shards", Integer.toString(record.shard().count()));
    facts.put("--start-at", Instant.ofEpochSecond(0, record.shard().startUtcNanos()).toString());
    facts.put("seed", Long.toString(manifest.seed()));
    facts.put("model", manifest.model());
    facts.put(
        "target", record.rows().settings().targets().stream().map(Target::url).toList().toString());
    facts.put("tally", manifest.versions().getOrDefault("tally", ""));
    return facts;
  }

  private static Map<String, String> made(ShardRecord record) {
    return Map.of("run", record.manifest().runId(), "nonce", record.manifest().nonce());
  }

  private List<String> findFaults() {
    List<String> found = new ArrayList<>();
    ShardRecord first = shards.firstEntry().getValue();
    for (int index = 0; index < first.shard().count(); index++) {
      ShardRecord shard = shards.get(index);
      if (shard == null) {
        found.add("shard " + index + " of " + first.shard().count() + " is missing");
        continue;
      }
      found.addAll(shard.faults());
      Set<PromptForm> forms = EnumSet.of(shard.manifest().prompts(), first.manifest().prompts());
      // Who was killed has not told how its prompts were written.
      if (forms.size() > 1 && !forms.contains(PromptForm.UNKNOWN)) {
        found.add(
            shard.shard().words() + " wrote its prompts in another form than "
                + first.shard().words());
      }
      addClock(shard, found);
    }
    return found;
  }

  /** Clocks further apart than one scrape put requests where the schedule has none. */
  private void addClock(ShardRecord shard, List<String> found) {
    ClockBracket apart = clock(shard.shard());
    double scrape = shard.rows().settings().timing().scrapeIntervalNanos() / 1e9;
    if (apart.leastSeconds() > scrape) {
      found.add(
          String.format(
              Locale.ROOT, "the clock of %s is %.1f s or more from the first shard's",
              shard.shard().words(), apart.leastSeconds()));
    }
  }

  /** How far the first shard's clock is ahead of another's; both bracketed the target's. */
  private ClockBracket clock(Shard shard) {
    return shard.clock().of(shards.firstEntry().getValue().shard().clock());
  }

  /** Why the run is no run of its plan; empty where it is. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /** A line for each shard: where it ran, when it stood ready, its clock beside the first's. */
  public List<String> lines() {
    return shards.values().stream().map(this::line).toList();
  }

  private String line(ShardRecord record) {
    Shard shard = record.shard();
    double spare = (shard.startUtcNanos() - shard.readyUtcNanos()) / 1e9;
    String ready =
        shard.readyUtcNanos() == 0
            ? "never ready"
            : String.format(
                Locale.ROOT, "ready %.1f s %s the start", Math.abs(spare),
                spare < 0 ? "after" : "before");
    String host = record.manifest().host().getOrDefault("name", "unknown");
    String clock =
        record == shards.firstEntry().getValue()
            ? "clocks beside this one's"
            : "clock " + clock(shard).words();
    return "%-14s %-16s %s, %s".formatted(shard.words(), host, ready, clock);
  }

  List<ShardRecord> records() {
    return List.copyOf(shards.values());
  }
}

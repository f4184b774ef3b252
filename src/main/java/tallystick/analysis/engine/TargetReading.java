package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/** One target's scrapes between the ledger's first and last; fed in order of time. */
public final class TargetReading {
  private static final int MOST_LIVES = 100; // a bound: an engine may crash again and again

  private final Map<Series, SeriesTrack> tracks = new LinkedHashMap<>();
  private final List<SeriesTrack> gauges = new ArrayList<>();
  private final Map<MetricConcept, SeriesTrack> preferred = new EnumMap<>(MetricConcept.class);

  /** The tracks of the newest scrape in its order: the next one mostly shows the same. */
  private final List<SeriesTrack> inOrder = new ArrayList<>();

  private final Map<SeriesTrack, Double> births = new HashMap<>();
  private final Map<SeriesTrack, Double> newestBirths = new HashMap<>();
  private final Beginnings beginnings = new Beginnings();
  private final SpoiledFamilies spoiled = new SpoiledFamilies();
  private final FamilyGaps gaps = new FamilyGaps();
  private final HistogramCheck histograms = new HistogramCheck();
  private final ServedModels models;
  private Optional<ScrapeRow> before = Optional.empty();
  private ScrapeRow first;
  private ScrapeRow last;
  private SortedSet<String> firstOwners = new TreeSet<>();
  private long index;
  private long lifeIndex;
  private final List<NewLife> newLives = new ArrayList<>();
  private boolean cameBack;
  private int mostAtOnce;

  /**
   * A process, or a series of it, that began anew.
   *
   * @param lastSeenNanos the last scrape that showed the old one
   * @param backNanos the first that showed the new one
   */
  public record NewLife(long lastSeenNanos, long backNanos) {}

  /** A target whose models are not told apart. */
  public TargetReading() {
    this(ServedModels.any());
  }

  /** A target of a run whose models are known over all its targets. */
  public TargetReading(ServedModels models) {
    this.models = models;
  }

  /** Remembers a good scrape that could be the ledger's first. */
  public void couldBeFirst(ScrapeRow row) {
    models.note(row);
    before = Optional.of(row);
  }

  /**
   * Takes a good scrape of the window; the first call begins the ledger with the scrape before, or
   * with this one if there was none.
   */
  public void read(ScrapeRow row) {
    if (first == null) {
      begin(before.orElse(row));
      if (before.isEmpty()) {
        return;
      }
    }
    long lastSeen = last.startedNanos();
    last = row;
    index++;
    beginnings.clear();
    takeAll(row, false);
    mostAtOnce = Math.max(mostAtOnce, row.samples().size());
    if (beginnings.areOfAProcess(inOrder)) {
      beginAnew(new NewLife(lastSeen, row.startedNanos()));
    } else {
      beginnings.fallen().forEach(spoiled::fell);
    }
    histograms.look(index, tellsItsStart());
  }

  /** What the new process does not show yet is no hole, and its first value there no restart. */
  private void beginAnew(NewLife life) {
    lifeIndex = index;
    gaps.beginAnew();
    cameBack |= beginnings.reborn().stream().anyMatch(track -> births.get(track) == track.value());
    if (newLives.size() < MOST_LIVES) {
      newLives.add(life);
    }
  }

  /** Whether a scrape of the window was read. */
  boolean hasBegun() {
    return first != null;
  }

  /** Whether there are two scrapes to subtract. */
  public boolean hasDelta() {
    return first != null && index > 0;
  }

  /** Whether the ledger's first scrape lies before the window. */
  public boolean beganBefore() {
    return before.isPresent();
  }

  public Collection<SeriesTrack> tracks() {
    return tracks.values();
  }

  /** Those of gauges, in the same order: few of many, and asked for at each scrape. */
  public List<SeriesTrack> gauges() {
    return Collections.unmodifiableList(gauges);
  }

  /**
   * Whether a series is to be used for its concept: no other spelling, other model or copy, and of
   * no family that cannot be right.
   */
  public boolean uses(SeriesTrack track) {
    return means(track) && !isSpoiled(track);
  }

  /** Whether nothing can be said of what a series counted. */
  public boolean isSpoiled(SeriesTrack track) {
    return track.isCumulative()
        && (spoiled.why(track.family(), index).isPresent()
            || !isCurrent(track) && gaps.whyGone(track.family()).isPresent());
  }

  /** Why nothing can be said of a concept that is exposed; empty where something can. */
  Optional<String> whyUnknown(MetricConcept concept) {
    return tracks.values().stream()
        .filter(track -> track.means(concept) && track.isCumulative() && means(track))
        .map(SeriesTrack::family)
        .flatMap(family -> whySpoiled(family).map(why -> family + " " + why).stream())
        .findFirst();
  }

  private Optional<String> whySpoiled(String family) {
    return spoiled.why(family, index).or(() -> gaps.whyGone(family));
  }

  /** Families whose values cannot be right in some scrape, a line each. */
  public List<String> impossibleValues() {
    return spoiled.lines(index);
  }

  /** Families that had such a value where no later scrape makes up for it. */
  Set<String> spoiledForGood() {
    return spoiled.forGood();
  }

  /** Whether a series is the one that speaks of its concept, right or wrong. */
  boolean means(SeriesTrack track) {
    return !track.isCopy()
        && models.include(track.series())
        && (track.concept().isEmpty()
            || preferred.get(track.concept().get()).family().equals(track.family()));
  }

  /** The most series that one scrape of the window showed. */
  public int mostAtOnce() {
    return mostAtOnce;
  }

  /** Whether a series was in the newest scrape. */
  public boolean isCurrent(SeriesTrack track) {
    return track.lastSeen() == index;
  }

  /** Whether the process, or a series of it, began anew. */
  public boolean restarted() {
    return !newLives.isEmpty();
  }

  /** When it did so, in order of time; no more than a hundred. */
  public List<NewLife> newLives() {
    return List.copyOf(newLives);
  }

  /**
   * Whether several processes answered in turns, as behind a load balancer: what began anew is the
   * earlier one again, or where no start is told, one counter fell more than once.
   */
  public boolean alternates() {
    boolean fellAgain =
        restarted()
            && tracks.values().stream()
                .anyMatch(track -> track.resets() > 1 && !isSpoiled(track));
    return cameBack || births.isEmpty() && fellAgain;
  }

  /**
   * Whether another target shows this very process: its series began at the same moments, and its
   * tokens stand at the same counts after they grew.
   */
  public boolean isSameProcessAs(TargetReading other) {
    return !births.isEmpty()
        && new TreeSet<>(newestBirths.values()).equals(new TreeSet<>(other.newestBirths.values()))
        && counts(MetricConcept.GENERATION_TOKENS).equals(
            other.counts(MetricConcept.GENERATION_TOKENS))
        && counts(MetricConcept.PROMPT_TOKENS).equals(other.counts(MetricConcept.PROMPT_TOKENS))
        && tracks().stream()
            .anyMatch(track -> track.means(MetricConcept.GENERATION_TOKENS) && track.delta() > 0);
  }

  private List<Double> counts(MetricConcept concept) {
    return tracks.values().stream()
        .filter(track -> track.means(concept) && track.kind() == SeriesTrack.Kind.COUNTER)
        .map(SeriesTrack::value)
        .sorted()
        .toList();
  }

  /** Whether the engine tells when its series began; several API servers together do not. */
  boolean tellsItsStart() {
    return !births.isEmpty();
  }

  /**
   * Histograms that cannot be what they say, a line each.
   *
   * @param endsQuiet whether the last scrape is of a quiet engine
   */
  public List<String> impossibleHistograms(boolean endsQuiet) {
    return histograms.faults(endsQuiet);
  }

  /** Families that were missing in scrapes between the first and the last. */
  public FamilyGaps gaps() {
    return gaps;
  }

  /** Model and engine labels at the first scrape that are gone or new at the last; may be empty. */
  public SortedSet<String> changedOwners() {
    SortedSet<String> lastOwners = owners();
    SortedSet<String> changed = new TreeSet<>(firstOwners);
    changed.removeAll(lastOwners);
    if (lastOwners.isEmpty()) {
      // The family that carries them is gone as a whole; that is no other model.
      return new TreeSet<>();
    }
    if (!firstOwners.isEmpty()) {
      lastOwners.stream().filter(owner -> !firstOwners.contains(owner)).forEach(changed::add);
    }
    return changed;
  }

  private void begin(ScrapeRow row) {
    first = row;
    last = row;
    takeAll(row, true);
    firstOwners = owners();
    histograms.look(index, tellsItsStart());
  }

  private void takeAll(ScrapeRow row, boolean atFirst) {
    List<Sample> samples = row.samples();
    for (int place = 0; place < samples.size(); place++) {
      Sample sample = samples.get(place);
      SeriesTrack track = take(sample, trackOf(sample.series(), place), atFirst);
      if (place < inOrder.size()) {
        inOrder.set(place, track);
      } else {
        inOrder.add(track);
      }
    }
    inOrder.subList(samples.size(), inOrder.size()).clear();
  }

  /** Finding it by its labels takes longer than all else that is done with a sample. */
  private SeriesTrack trackOf(Series series, int place) {
    SeriesTrack likely = place < inOrder.size() ? inOrder.get(place) : null;
    return likely != null && likely.series() == series ? likely : tracks.get(series);
  }

  private SeriesTrack take(Sample sample, SeriesTrack known, boolean atFirst) {
    if (known != null) {
      boolean isOfThisLife = known.lastSeen() >= lifeIndex;
      if (known.next(sample, index) && isOfThisLife) {
        beginnings.fell(known);
      }
      spoiled.note(known, sample.value(), index, false);
      gaps.note(known, index);
      noteBirth(known);
      return known;
    }
    models.note(sample.series());
    SeriesTrack track = new SeriesTrack(sample, atFirst, index);
    tracks.put(sample.series(), track);
    if (track.kind() == SeriesTrack.Kind.GAUGE) {
      gauges.add(track);
    }
    histograms.add(track);
    spoiled.note(track, sample.value(), index, atFirst);
    gaps.note(track, index);
    track.concept().ifPresent(concept -> preferred.merge(concept, track, TargetReading::better));
    noteBirth(track);
    return track;
  }

  private static SeriesTrack better(SeriesTrack one, SeriesTrack other) {
    return other.preference() > one.preference() ? other : one;
  }

  private void noteBirth(SeriesTrack track) {
    if (track.kind() == SeriesTrack.Kind.BIRTH && track.isReadable()
        && track.value() != track.previous()) {
      births.putIfAbsent(track, track.value());
      Double newest = newestBirths.put(track, track.value());
      if (newest != null && newest != track.value()) {
        beginnings.reborn(track);
      }
    }
  }

  /** Model and engine labels at the newest scrape. */
  private SortedSet<String> owners() {
    SortedSet<String> owners = new TreeSet<>();
    for (SeriesTrack track : inOrder) {
      // One counter that every engine has from its start stands for the label sets.
      if (track.means(MetricConcept.GENERATION_TOKENS)) {
        track
            .engineFamily()
            .map(EngineFamily::labels)
            .ifPresent(
                labels ->
                    owners.add(
                        labels.model() + "=" + track.series().label(labels.model())
                            + " " + labels.engine() + "=" + track.engine()));
      }
    }
    return owners;
  }
}

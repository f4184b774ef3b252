package tallystick.alerting.watch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.alerting.backtest.Episode;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.FiringBands;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;

/**
 * Rules held against what a Prometheus remembers; what has no line here is as in {@link Figures}.
 *
 * @param prometheus its URL
 * @param seen when it looked
 * @param users how they did
 * @param firings what each alert did
 * @param doubled selectors whose series are stored more than once
 */
public record Watched(
    String rules,
    String prometheus,
    Seen seen,
    List<String> slis,
    Users users,
    List<WatchedFirings> firings,
    List<Envelope> envelopes,
    Traffic traffic,
    List<String> leftOut,
    Map<String, String> missing,
    List<String> doubled)
    implements Decision {
  private static final double MINUTE_MILLIS = 60_000;

  /** Nobody goes on using what fails so often: rather the good ones are counted. */
  private static final double MOSTLY_BAD = 0.9;

  /** Of fewer the worst hour says as much as the rest. */
  private static final double LEAST_HEALTHY_SECONDS = 3600;

  /**
   * All of it, for programs.
   *
   * @param rules the file, as the user named it
   * @param verdict stale, false_alarms, missed, holds or too_little
   * @param strength sure, likely or too_close
   * @param fromUtc begin of the range, ISO 8601
   * @param toUtc end of it
   * @param seenSeconds in which the Prometheus had samples
   * @param slis what told how users did
   * @param requests that the SLI counted
   * @param goodRequests the good ones
   * @param wellSeconds in which users were well
   * @param sufferingSeconds in which they surely were not
   * @param alerts what each alert did
   * @param envelopes the signal of each learned threshold beside its study
   * @param traffic what requests were like
   * @param gaps when the Prometheus did not look
   * @param leftOut rules that could not be replayed, and why
   * @param missing selectors that find nothing, and the metric that was probably meant
   */
  public record Figures(
      String rules,
      String verdict,
      String strength,
      String fromUtc,
      String toUtc,
      double seenSeconds,
      List<String> slis,
      long requests,
      long goodRequests,
      double wellSeconds,
      double sufferingSeconds,
      List<WatchedFirings> alerts,
      List<Envelope> envelopes,
      Traffic traffic,
      List<Seen.Gap> gaps,
      List<String> leftOut,
      Map<String, String> missing) {}

  public Watched {
    slis = List.copyOf(slis);
    firings = List.copyOf(firings);
    envelopes = List.copyOf(envelopes);
    leftOut = List.copyOf(leftOut);
    missing = Map.copyOf(missing);
    doubled = List.copyOf(doubled);
  }

  /** What it comes to: the gravest first. */
  WatchEnd end() {
    Optional<String> nothing = nothingToSay();
    Optional<Envelope> stale =
        envelopes.stream()
            .filter(Envelope::isOutside)
            .max(Comparator.comparing(one -> one.latest().outside()));
    if (nothing.isPresent()) {
      return new WatchEnd.TooLittle(nothing.get());
    }
    boolean isShort = healthySeconds() < LEAST_HEALTHY_SECONDS;
    if (stale.isPresent() && !isShort) {
      return new WatchEnd.Stale(stale.get(), traffic);
    }
    // A false alarm is one in however short a time; that there is none needs a longer one.
    if (!falselyFired().isEmpty()) {
      return new WatchEnd.FalseAlarms(falselyFired());
    }
    if (isShort) {
      return new WatchEnd.TooLittle(
          "only " + LengthOfTime.words(healthySeconds())
              + " of healthy time away from bad stretches; a day or two would be enough");
    }
    if (!missed().isEmpty()) {
      return new WatchEnd.Missed(missed(), users.windows().stepMillis());
    }
    List<String> blind =
        judged().filter(one -> !one.withoutSeries().isEmpty()).map(WatchedFirings::alert).toList();
    return WatchEnd.Holds.of(envelopes, seen.askedSeconds(), healthySeconds(), blind);
  }

  /** Why nothing can be said; empty where something can. */
  private Optional<String> nothingToSay() {
    if (seen.seconds() == 0) {
      return Optional.of("this Prometheus has no sample in the whole range");
    }
    if (slis.isEmpty()) {
      return Optional.of(
          "no sign of how users did: these rules record no share of bad requests; give one with"
              + " --sli 'BAD / ALL'");
    }
    if (users.requests(false) == 0) {
      return Optional.of("no request was counted in the range (" + slis.getFirst() + ")");
    }
    if (judged().noneMatch(one -> one.withoutSeries().isEmpty())) {
      return Optional.of(
          judged().findAny().isEmpty()
              ? "no alert of the file is about users or load"
              : "every alert about users or load lacks its series in this Prometheus");
    }
    return Optional.empty();
  }

  private Stream<WatchedFirings> judged() {
    return firings.stream().filter(WatchedFirings::isJudged);
  }

  /** Healthy time in which each alert that can fire had to be silent. */
  private double healthySeconds() {
    return judged()
        .filter(one -> one.withoutSeries().isEmpty())
        .mapToDouble(WatchedFirings::healthySeconds)
        .min()
        .orElse(0);
  }

  /** The longer times in which users suffered and no alert about them fired. */
  private List<Episode> missed() {
    List<WatchedFirings.Time> times = judged().flatMap(one -> one.times().stream()).toList();
    return users.groups().stream()
        .flatMap(group -> group.sustained().stream())
        .filter(
            one -> times.stream().noneMatch(at -> one.touches(at.fromMillis(), at.toMillis())))
        .toList();
  }

  /** Alerts that fired though users were well. */
  private List<WatchedFirings> falselyFired() {
    return firings.stream().filter(one -> !one.of(WatchedFirings.Kind.FALSE).isEmpty()).toList();
  }

  @Override
  public Answer answer(Invocation asked) {
    WatchEnd end = end();
    Answer.Builder answer =
        Answer.of(
            "watch", rules, prometheus,
            length(seen.askedSeconds()) + " to " + WatchText.time(seen.toMillis()) + " UTC");
    AnswerStatus outcome = end.say(answer);
    answer.strength(end.strength());
    if (!(end instanceof WatchEnd.FalseAlarms)) {
      for (WatchedFirings one : falselyFired()) {
        answer.say(Tone.BAD, "FALSE", WatchText.falseAlarms(one), WatchText.MOST_SPARED);
      }
    }
    if (users.requests(false) > 0) {
      answer.say(Tone.PLAIN, "USERS", lived());
    }
    if (judged().findAny().isPresent()) {
      answer.block(alerts(end.accused()));
    }
    int spare = WatchText.MOST_SPARED - 1;
    outages().ifPresent(words -> answer.say(Tone.PLAIN, "OUTAGE", words, spare));
    if (outcome == AnswerStatus.FAILS) {
      study().ifPresent(words -> answer.say(Tone.PLAIN, "STUDY", words, spare - 1));
    }
    answer.trust(seen.gaps().isEmpty() ? Tone.PLAIN : Tone.CAUTION, trust());
    List<String> cautions = cautions();
    for (int i = 0; i < cautions.size(); i++) {
      answer.say(Tone.CAUTION, i == 0 ? "!" : "", cautions.get(i), i);
    }
    String whole = asked.again("--verbose") + " --verbose  # every firing, each day";
    boolean isWhole = !asked.again().equals(asked.again("--verbose"));
    answer.next(
        end.next(whole).stream().filter(one -> !isWhole || !one.equals(whole)).toList());
    answer.detail(Section.of("firings", "When alerts fired", fired()));
    answer.detail(Section.of("envelope", "Signals while users were well", signals()));
    answer.detail(Section.of("traffic", "Requests by day", requests()));
    List<Block> gaps = seen.gaps().stream().<Block>map(Watched::gap).toList();
    answer.detail(Section.of("gaps", "Gaps in the Prometheus data", gaps));
    return answer.figures("", figures(end)).comesTo(outcome);
  }

  private static String length(double seconds) {
    double days = seconds / WatchEnd.DAY;
    return days >= 3
        ? String.format(Locale.ROOT, "%.1f days", days).replace(".0 ", " ")
        : LengthOfTime.words(seconds);
  }

  private String lived() {
    long times = users.groups().stream().mapToLong(group -> group.episodes().size()).sum();
    long sustained = users.groups().stream().mapToLong(group -> group.sustained().size()).sum();
    String suffered =
        WatchText.times(times, users.seconds(Users.State.SUFFERING))
            + (sustained == times
                ? ""
                : "; found counts the " + sustained + " of "
                    + LengthOfTime.words(2 * users.windows().stepMillis() / 1e3) + " or longer");
    return Numbers.percent(users.requests(true) / (double) users.requests(false)) + " of "
        + Numbers.count(users.requests(false)) + " requests good (" + String.join("; ", slis)
        + "); well for " + LengthOfTime.words(users.seconds(Users.State.WELL)) + ", "
        + (times == 0 ? "no bad stretch" : "suffered " + suffered);
  }

  /** What the verdict is about comes first; the others give way from the last on. */
  private Block.Table alerts(List<String> accused) {
    List<Block.Row> rows = new ArrayList<>();
    judged()
        .sorted(Comparator.comparing(one -> !accused.contains(one.alert())))
        .forEach(one -> rows.add(alert(one).spare(rows.size())));
    return new Block.Table(
        "", false,
        List.of(
            Column.words("alert"), Column.number("fired"), Column.number("for").spare(1),
            Column.number("false"), Column.number("max a day"), Column.number("found"),
            Column.number("above study")),
        rows, new Block.Rest("and %d alert more", "and %d alerts more"));
  }

  private Block.Row alert(WatchedFirings one) {
    boolean isKnown = one.healthySeconds() > 0;
    String found = one.episodes() > 0 ? one.found() + " of " + one.episodes() : "-";
    return Block.Row.words(
        one.alert(), Integer.toString(one.times().size()),
        one.times().isEmpty() ? "-" : LengthOfTime.words(one.firingSeconds()),
        isKnown ? Integer.toString(one.of(WatchedFirings.Kind.FALSE).size()) : "-",
        isKnown ? Numbers.number(one.mostFalsePerDay()) : "-",
        one.withoutSeries().isEmpty() ? found : "no series",
        envelopes.stream()
            .filter(each -> each.alert().equals(one.alert()))
            .map(e -> e.isTooCoarse() ? "not known" : PercentText.plain(e.latest().above()))
            .findFirst()
            .orElse("-"));
  }

  /** What alerts did that watch for what is down or gone. */
  private Optional<String> outages() {
    List<WatchedFirings> all = firings.stream().filter(one -> !one.isJudged()).toList();
    String fired =
        all.stream()
            .filter(one -> !one.times().isEmpty())
            .map(o -> o.alert() + " " + WatchText.times(o.times().size(), o.firingSeconds()))
            .collect(Collectors.joining(", "));
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Counted.of(all.size(), "alert watches", "alerts watch")
                + " for outages (not judged here); fired: "
                + (fired.isEmpty() ? "none" : fired));
  }

  /** What requests are like now, which a new study should be like. */
  private Optional<String> study() {
    return traffic.together(Envelope.firstOutside(envelopes).orElse(""), true)
        .map(
            now ->
                "a new one should cover prompts of " + Numbers.number(now.promptTokens())
                    + " tokens" + p95(traffic.promptP95()) + ", answers of "
                    + Numbers.number(now.outputTokens()) + p95(traffic.outputP95()) + ", and "
                    + Numbers.number(now.peakPerSecond()) + " req/s");
  }

  /** An edge itself is the histogram's last one: how much lies beyond it is not told. */
  private static String p95(double tokens) {
    String least = tokens == Math.rint(tokens) ? "at least " : "";
    return Double.isFinite(tokens) ? " (P95 " + least + Numbers.number(tokens) + ")" : "";
  }

  private String trust() {
    String looked =
        "the Prometheus had samples for " + length(seen.seconds()) + " of "
            + length(seen.askedSeconds());
    boolean isLate = seen.missingAtFirst() > 0;
    if (isLate) {
      looked += "; none before " + WatchText.time(seen.gaps().getFirst().toMillis())
          + " (shorter retention, or it started then)";
    }
    List<Seen.Gap> inside = seen.gaps().stream().skip(isLate ? 1 : 0).toList();
    return inside.isEmpty()
        ? looked
        : looked + "; " + Counted.of(inside.size(), "gap", "gaps") + ", the longest "
            + LengthOfTime.words(inside.stream().mapToDouble(Seen.Gap::seconds).max().orElse(0));
  }

  private List<String> cautions() {
    List<String> cautions = new ArrayList<>(leftOut);
    if (users.requests(true) < (1 - MOSTLY_BAD) * users.requests(false)) {
      cautions.add(
          "over 90 % of requests count as bad (" + String.join("; ", slis)
              + "): is the SLI inverted? It must be BAD / ALL");
    }
    new TreeMap<>(missing).forEach(
        (selector, nearest) -> {
          String hint =
              selector.startsWith(nearest)
                  ? ": the metric exists, but not with these labels in this range"
                  : "; nearest is " + nearest;
          String never = ": alerts that need it cannot fire";
          cautions.add("no series for " + selector + (nearest.isEmpty() ? never : hint));
        });
    for (Envelope one : envelopes) {
      List<String> days =
          one.excursions().stream().map(day -> WatchText.day(day.day())).toList();
      if (!days.isEmpty()) {
        cautions.add(
            one.alert() + ": " + one.signal() + " was outside the study's range on "
                + String.join(", ", days) + ", and is back inside");
      }
    }
    for (Envelope one : envelopes) {
      if (one.isTooCoarse()) {
        cautions.add(
            one.alert() + ": histogram buckets are too coarse to tell whether " + one.signal()
                + " is above " + Numbers.threshold(one.most()));
      }
    }
    for (String selector : doubled) {
      cautions.add(
          selector + " is stored by several Prometheus servers, and their counts add up: enable"
              + " deduplication");
    }
    return cautions;
  }

  private List<Block> fired() {
    List<Block.Row> rows = new ArrayList<>();
    for (WatchedFirings one : firings) {
      for (WatchedFirings.Time time : one.times()) {
        String lasts = time.lasts() ? " and still" : "";
        rows.add(
            Block.Row.words(
                one.alert(), WatchText.time(time.fromMillis()),
                LengthOfTime.words(time.seconds()) + lasts, says(time), time.labels()));
      }
    }
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.words("from (UTC)"), Column.number("for"),
            Column.words("users"), Column.sentence("labels"));
    return rows.isEmpty()
        ? List.of()
        : List.of(
            new Block.Picture(bands(), List.of()), new Block.Table("", false, columns, rows));
  }

  private static String says(WatchedFirings.Time time) {
    return switch (time.kind()) {
      case RIGHT -> "suffered";
      case FALSE -> "were well" + WatchText.sure(Strength.of(time.wellProbability()));
      case UNCLEAR -> "too close to call";
      case IDLE -> "no requests";
      case NOT_KNOWN -> "not known";
      case NOT_JUDGED -> "not judged";
    };
  }

  private FiringBands bands() {
    long window = users.windows().stepMillis();
    List<FiringBands.Band> suffering =
        users.groups().stream()
            .flatMap(group -> group.episodes().stream())
            .map(one -> band(one.onsetMillis() - window, one.endMillis(), true))
            .toList();
    List<FiringBands.Alert> alerts =
        firings.stream()
            .map(
                one ->
                    new FiringBands.Alert(
                        one.alert(), true, one.times().stream().map(this::band).toList()))
            .toList();
    String from = "from " + WatchText.time(seen.fromMillis()) + " UTC";
    return new FiringBands(
        List.of(
            new FiringBands.Run(
                from, prometheus, minute(seen.toMillis()), List.of(), suffering, alerts)));
  }

  private FiringBands.Band band(WatchedFirings.Time time) {
    return band(
        time.fromMillis(), time.toMillis(), time.kind() != WatchedFirings.Kind.FALSE);
  }

  private FiringBands.Band band(long fromMillis, long toMillis, boolean isRight) {
    return new FiringBands.Band(
        Math.max(0, minute(fromMillis)), Math.min(minute(toMillis), minute(seen.toMillis())),
        isRight);
  }

  private double minute(long millis) {
    return (millis - seen.fromMillis()) / MINUTE_MILLIS;
  }

  private List<Block> signals() {
    List<Column> columns =
        List.of(
            Column.name("day (UTC)"), Column.number("healthy windows"),
            Column.number("above study"), Column.number("above threshold"), Column.words("is"));
    List<Block> blocks = new ArrayList<>();
    for (Envelope one : envelopes) {
      String study =
          Numbers.threshold(one.most()) + " in " + one.studyWindows()
              + " healthy windows of the study, threshold " + Numbers.threshold(one.threshold());
      String allowed = PercentText.plain(one.allowed()) + " of the time may be above the study";
      String signal = one.alert() + ": " + one.signal() + " of " + one.series();
      blocks.add(
          new Block.Text(Tone.PLAIN, signal + "; at most " + study + "; " + allowed));
      List<Block.Row> rows = one.days().stream().map(day -> day(day, one.allowed())).toList();
      blocks.add(new Block.Table("", false, columns, rows));
    }
    return blocks;
  }

  private static Block.Row day(Envelope.Day day, double allowed) {
    String inside = day.isJudged() ? "inside" : "only " + day.hours() + " h";
    String is = day.unclear() > allowed ? "too coarse" : inside;
    return Block.Row.words(
        WatchText.day(day.day()), Integer.toString(day.windows()), PercentText.plain(day.above()),
        PercentText.plain(day.aboveThreshold()), day.isOutside() ? "outside" : is);
  }

  private List<Block> requests() {
    List<Block.Row> rows = new ArrayList<>();
    for (Traffic.Day day : traffic.days()) {
      rows.add(
          Block.Row.words(
              WatchText.day(day.day()), Numbers.count(Math.round(day.requests())),
              Numbers.number(day.promptTokens()), Numbers.number(day.outputTokens()),
              Numbers.number(day.peakPerSecond())));
    }
    List<Column> columns =
        List.of(
            Column.name("day (UTC)"), Column.number("requests"), Column.number("prompt tokens"),
            Column.number("answer tokens"), Column.number("peak req/s"));
    return rows.isEmpty() ? List.of() : List.of(new Block.Table("", false, columns, rows));
  }

  private static Block.Text gap(Seen.Gap gap) {
    return new Block.Text(
        Tone.PLAIN, "no samples from " + WatchText.stretch(gap.fromMillis(), gap.seconds()));
  }

  private Figures figures(WatchEnd end) {
    return new Figures(
        rules, end.word(), end.strength().code(),
        Instant.ofEpochMilli(seen.fromMillis()).toString(),
        Instant.ofEpochMilli(seen.toMillis()).toString(), seen.seconds(), slis,
        users.requests(false), users.requests(true), users.seconds(Users.State.WELL),
        users.seconds(Users.State.SUFFERING), firings, envelopes,
        traffic, seen.gaps(), leftOut, missing);
  }
}

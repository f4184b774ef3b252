package tallystick.alerting.watch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.alerting.backtest.Episode;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Outcome;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.FiringBands;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;

/** The answer that rules held against a Prometheus give. */
public record WatchAnswer(Watched watched) implements Decision {
  private static final double MINUTE_MILLIS = 60_000;

  /** Nobody goes on using what fails so often: rather the good ones are counted. */
  private static final double MOSTLY_BAD = 0.9;

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

  @Override
  public Answer answer(Invocation asked) {
    WatchEnd end = WatchEnd.of(watched);
    double length = (watched.seen().toMillis() - watched.seen().fromMillis()) / 1e3;
    Answer.Builder answer =
        Answer.of(
            "watch", watched.rules(), watched.prometheus(),
            length(length) + " to " + WatchText.time(watched.seen().toMillis()) + " UTC");
    Outcome outcome = end.say(answer);
    answer.strength(end.strength());
    if (!(end instanceof WatchEnd.FalseAlarms)) {
      watched.firings().stream()
          .filter(one -> !one.of(WatchedFirings.Kind.FALSE).isEmpty())
          .map(WatchText::falseAlarms)
          .forEach(words -> answer.say(Tone.BAD, "FALSE", words, WatchText.MOST_SPARED));
    }
    if (watched.users().requests(false) > 0) {
      answer.say(Tone.PLAIN, "USERS", lived());
    }
    if (watched.firings().stream().anyMatch(WatchedFirings::isJudged)) {
      answer.block(table(end.accused()));
    }
    int spare = WatchText.MOST_SPARED - 1;
    outages().ifPresent(words -> answer.say(Tone.PLAIN, "OUTAGE", words, spare));
    if (outcome == Outcome.FAILS) {
      study().ifPresent(words -> answer.say(Tone.PLAIN, "STUDY", words, spare - 1));
    }
    answer.trust(watched.seen().gaps().isEmpty() ? Tone.PLAIN : Tone.CAUTION, trust(length));
    List<String> cautions = cautions();
    for (int i = 0; i < cautions.size(); i++) {
      answer.say(Tone.CAUTION, i == 0 ? "!" : "", cautions.get(i), i);
    }
    next(end, answer, asked);
    details(answer);
    return answer.figures("", figures(end)).comesTo(outcome);
  }

  private static String length(double seconds) {
    double days = seconds / WatchEnd.DAY;
    return days >= 3
        ? String.format(Locale.ROOT, "%.1f days", days).replace(".0 ", " ")
        : LengthOfTime.words(seconds);
  }

  private String lived() {
    Users users = watched.users();
    double good = users.requests(true) / (double) users.requests(false);
    long times = users.groups().stream().mapToLong(group -> group.episodes().size()).sum();
    double suffering = users.seconds(Users.State.SUFFERING);
    return "%s of %s requests good (%s); well for %s, %s"
        .formatted(
            Numbers.percent(good), Numbers.count(users.requests(false)),
            String.join("; ", watched.slis()),
            LengthOfTime.words(users.seconds(Users.State.WELL)),
            times == 0
                ? "at no time surely not"
                : "suffered " + Counted.of(times, "time", "times") + " ("
                    + LengthOfTime.words(suffering) + ")");
  }

  /** What the verdict is about comes first; the others give way from the last on. */
  private Block.Table table(List<String> accused) {
    List<Block.Row> rows = new ArrayList<>();
    watched.firings().stream()
        .filter(WatchedFirings::isJudged)
        .sorted(Comparator.comparing(one -> !accused.contains(one.alert())))
        .forEach(one -> rows.add(row(one).spare(rows.size())));
    return new Block.Table(
        "", false,
        List.of(
            Column.words("alert"), Column.number("fired"), Column.number("for").spare(1),
            Column.number("false"), Column.number("max a day"), Column.number("found"),
            Column.number("above study")),
        rows, new Block.Rest("and %d alert more", "and %d alerts more"));
  }

  private Block.Row row(WatchedFirings one) {
    boolean isKnown = one.healthySeconds() > 0;
    String above =
        watched.envelopes().stream()
            .filter(each -> each.alert().equals(one.alert()))
            .map(
                each -> {
                  int since = each.outsideSince();
                  return each.isTooCoarse()
                      ? "not known"
                      : PercentText.plain(each.since(Math.max(0, since)).above());
                })
            .findFirst()
            .orElse("-");
    return Block.Row.words(
        one.alert(),
        Integer.toString(one.times().size()),
        one.times().isEmpty() ? "-" : LengthOfTime.words(one.firingSeconds()),
        isKnown ? Integer.toString(one.of(WatchedFirings.Kind.FALSE).size()) : "-",
        isKnown ? Numbers.number(one.mostFalsePerDay()) : "-",
        !one.withoutSeries().isEmpty()
            ? "no series"
            : one.episodes() > 0 ? one.found() + " of " + one.episodes() : "-",
        above);
  }

  /** What alerts did that watch for what is down or gone. */
  private Optional<String> outages() {
    List<WatchedFirings> all = watched.firings().stream().filter(one -> !one.isJudged()).toList();
    String fired =
        all.stream()
            .filter(one -> !one.times().isEmpty())
            .map(
                one ->
                    one.alert() + " " + Counted.of(one.times().size(), "time", "times") + " ("
                        + LengthOfTime.words(one.firingSeconds()) + ")")
            .collect(Collectors.joining(", "));
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Counted.of(all.size(), "alert watches", "alerts watch")
                + " for what is down or gone, not judged by users; fired: "
                + (fired.isEmpty() ? "none" : fired));
  }

  /** What requests are like now, which a new study should be like. */
  private Optional<String> study() {
    String first =
        watched.envelopes().stream()
            .filter(one -> one.outsideSince() >= 0)
            .map(one -> one.days().get(one.outsideSince()).day())
            .min(String::compareTo)
            .orElse("");
    return watched.traffic()
        .together(first, true)
        .map(
            now ->
                "a new one should cover prompts of %s tokens%s, answers of %s%s, and %s req/s"
                    .formatted(
                        Numbers.number(now.promptTokens()), p95(watched.traffic().promptP95()),
                        Numbers.number(now.outputTokens()), p95(watched.traffic().outputP95()),
                        Numbers.number(now.peakPerSecond())));
  }

  /** An edge itself is the histogram's last one: how much lies beyond it is not told. */
  private static String p95(double tokens) {
    String least = tokens == Math.rint(tokens) ? "at least " : "";
    return Double.isFinite(tokens) ? " (P95 " + least + Numbers.number(tokens) + ")" : "";
  }

  private String trust(double length) {
    String looked = "the Prometheus had samples for " + length(watched.seen().seconds()) + " of "
        + length(length);
    double first = watched.seen().missingAtFirst();
    if (first > 0) {
      looked += "; none before " + WatchText.time(watched.seen().gaps().getFirst().toMillis())
          + ": it keeps no more, or began then";
    }
    List<Seen.Gap> inside = watched.seen().gaps().stream().skip(first > 0 ? 1 : 0).toList();
    return inside.isEmpty()
        ? looked
        : looked + "; " + Counted.of(inside.size(), "gap", "gaps") + ", the longest "
            + LengthOfTime.words(inside.stream().mapToDouble(Seen.Gap::seconds).max().orElse(0));
  }

  private List<String> cautions() {
    List<String> cautions = new ArrayList<>(watched.leftOut());
    long all = watched.users().requests(false);
    if (watched.users().requests(true) < (1 - MOSTLY_BAD) * all) {
      cautions.add(
          "nearly every request is bad, %s: is it upside down? It must be BAD / ALL"
              .formatted(String.join("; ", watched.slis())));
    }
    watched.missing().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            one ->
                cautions.add(
                    "no series for " + one.getKey()
                        + (one.getValue().isEmpty()
                            ? ": what needs it never fires"
                            : one.getKey().startsWith(one.getValue())
                                ? ": the metric is there, with other labels"
                                : "; nearest is " + one.getValue())));
    watched.envelopes().stream()
        .filter(one -> !one.excursions().isEmpty())
        .map(
            one ->
                "%s: %s was outside on %s, and is back"
                    .formatted(
                        one.alert(), one.signal(),
                        one.excursions().stream()
                            .map(day -> WatchText.day(day.day()))
                            .collect(Collectors.joining(", "))))
        .forEach(cautions::add);
    watched.envelopes().stream()
        .filter(Envelope::isTooCoarse)
        .map(
            one ->
                "%s: the buckets are too coarse to tell whether %s is above %s"
                    .formatted(one.alert(), one.signal(), Numbers.threshold(one.most())))
        .forEach(cautions::add);
    watched.doubled().forEach(
        selector ->
            cautions.add(
                selector + " is stored more than once, by each of several Prometheis: its counts"
                    + " are added up; have the store deduplicate"));
    return cautions;
  }

  private static void next(WatchEnd end, Answer.Builder answer, Invocation asked) {
    String again = asked.again("--verbose") + " --verbose  # every firing, each day";
    switch (end) {
      case WatchEnd.Stale stale ->
          answer.next("./tally study SCENARIO  # with requests like these", again);
      case WatchEnd.FalseAlarms wrong ->
          answer.next(again, "./tally study SCENARIO  # with requests like these");
      case WatchEnd.Missed missed -> answer.next(again);
      case WatchEnd.Holds holds -> answer.next(again);
      case WatchEnd.TooLittle little -> answer.next(again);
    }
  }

  private void details(Answer.Builder answer) {
    List<Block> fired = new ArrayList<>();
    if (watched.firings().stream().anyMatch(one -> !one.times().isEmpty())) {
      fired.add(new Block.Picture(bands(), List.of()));
      List<Block.Row> rows = new ArrayList<>();
      for (WatchedFirings one : watched.firings()) {
        for (WatchedFirings.Time time : one.times()) {
          rows.add(
              Block.Row.words(
                  one.alert(), WatchText.time(time.fromMillis()),
                  LengthOfTime.words(time.seconds()) + (time.lasts() ? " and still" : ""),
                  says(time), time.labels()));
        }
      }
      fired.add(
          new Block.Table(
              "", false,
              List.of(
                  Column.name("alert"), Column.words("from (UTC)"), Column.number("for"),
                  Column.words("users"), Column.sentence("labels")),
              rows));
    }
    answer.detail(Section.of("firings", "When alerts fired", fired));
    answer.detail(Section.of("envelope", "Signals while users were well", days()));
    answer.detail(Section.of("traffic", "Requests by day", requests()));
    List<Block> gaps =
        watched.seen().gaps().stream()
            .<Block>map(
                gap ->
                    new Block.Text(
                        Tone.PLAIN,
                        "no samples from " + WatchText.time(gap.fromMillis()) + " for "
                            + LengthOfTime.words(gap.seconds())))
            .toList();
    answer.detail(Section.of("gaps", "When the Prometheus did not look", gaps));
  }

  private static String says(WatchedFirings.Time time) {
    return switch (time.kind()) {
      case RIGHT -> "suffered";
      case FALSE -> "were well" + WatchText.sure(Strength.of(time.wellProbability()));
      case UNCLEAR -> "too close to call";
      case IDLE -> "none there";
      case NOT_JUDGED -> "not judged by";
    };
  }

  private FiringBands bands() {
    List<FiringBands.Band> suffering = new ArrayList<>();
    long window = watched.users().windows().stepMillis();
    for (Users.Group group : watched.users().groups()) {
      for (Episode one : group.episodes()) {
        suffering.add(band(one.onsetMillis() - window, one.endMillis(), true));
      }
    }
    List<FiringBands.Alert> alerts =
        watched.firings().stream()
            .map(
                one ->
                    new FiringBands.Alert(
                        one.alert(), true,
                        one.times().stream()
                            .map(
                                time ->
                                    band(
                                        time.fromMillis(), time.toMillis(),
                                        time.kind() != WatchedFirings.Kind.FALSE))
                            .toList()))
            .toList();
    return new FiringBands(
        List.of(
            new FiringBands.Run(
                "from " + WatchText.time(watched.seen().fromMillis()) + " UTC",
                watched.prometheus(), minute(watched.seen().toMillis()), List.of(), suffering,
                alerts)));
  }

  private FiringBands.Band band(long fromMillis, long toMillis, boolean isRight) {
    return new FiringBands.Band(
        Math.max(0, minute(fromMillis)), minute(Math.min(toMillis, watched.seen().toMillis())),
        isRight);
  }

  private double minute(long millis) {
    return (millis - watched.seen().fromMillis()) / MINUTE_MILLIS;
  }

  private List<Block> days() {
    List<Block> blocks = new ArrayList<>();
    for (Envelope one : watched.envelopes()) {
      List<Block.Row> rows = new ArrayList<>();
      for (Envelope.Day day : one.days()) {
        rows.add(
            Block.Row.words(
                WatchText.day(day.day()), Integer.toString(day.windows()),
                PercentText.plain(day.above()), PercentText.plain(day.aboveThreshold()),
                day.isOutside()
                    ? "outside"
                    : day.unclear() > one.allowed()
                        ? "too coarse"
                        : day.isJudged() ? "inside" : "only " + day.hours() + " h"));
      }
      blocks.add(
          new Block.Text(
              Tone.PLAIN,
              "%s: %s of %s; at most %s in %s healthy windows of the study, threshold %s; %s of the"
                      .formatted(
                          one.alert(), one.signal(), one.series(), Numbers.threshold(one.most()),
                          Integer.toString(one.studyWindows()), Numbers.threshold(one.threshold()),
                          PercentText.plain(one.allowed()))
                  + " time may be above the study"));
      blocks.add(
          new Block.Table(
              "", false,
              List.of(
                  Column.name("day (UTC)"), Column.number("healthy windows"),
                  Column.number("above study"), Column.number("above threshold"),
                  Column.words("is")),
              rows));
    }
    return blocks;
  }

  private List<Block> requests() {
    List<Block.Row> rows =
        watched.traffic().days().stream()
            .map(
                day ->
                    Block.Row.words(
                        WatchText.day(day.day()), Numbers.count(Math.round(day.requests())),
                        Numbers.number(day.promptTokens()), Numbers.number(day.outputTokens()),
                        Numbers.number(day.peakPerSecond())))
            .toList();
    return rows.isEmpty()
        ? List.of()
        : List.of(
            new Block.Table(
                "", false,
                List.of(
                    Column.name("day (UTC)"), Column.number("requests"),
                    Column.number("prompt tokens"), Column.number("answer tokens"),
                    Column.number("peak req/s")),
                rows));
  }

  private Figures figures(WatchEnd end) {
    return new Figures(
        watched.rules(), end.word(), end.strength().name().toLowerCase(Locale.ROOT),
        Instant.ofEpochMilli(watched.seen().fromMillis()).toString(),
        Instant.ofEpochMilli(watched.seen().toMillis()).toString(), watched.seen().seconds(),
        watched.slis(), watched.users().requests(false), watched.users().requests(true),
        watched.users().seconds(Users.State.WELL), watched.users().seconds(Users.State.SUFFERING),
        watched.firings(), watched.envelopes(), watched.traffic(), watched.seen().gaps(),
        watched.leftOut(), watched.missing());
  }
}

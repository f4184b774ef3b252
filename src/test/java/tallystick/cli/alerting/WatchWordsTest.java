package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tallystick.Golden;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Episode;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.alerting.watch.Envelope;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.alerting.watch.Seen;
import tallystick.alerting.watch.Traffic;
import tallystick.alerting.watch.Users;
import tallystick.alerting.watch.Watched;
import tallystick.alerting.watch.WatchedFirings;
import tallystick.alerting.watch.WatchedFirings.Kind;
import tallystick.alerting.watch.WatchedFirings.Time;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Invocation;
import tallystick.cli.FrozenWords;
import tallystick.promql.Labels;
import tallystick.report.AnswerFiles;
import tallystick.report.Reports;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What a watch says for each way in which it can end. */
class WatchWordsTest {
  private static final long DAY = 86_400_000;
  private static final long WINDOW = 300_000;
  private static final long START = 20_400 * DAY; // Nov 8, 2025

  /** What a watch is made of; each test changes what it is about. */
  private static final class Made {
    private int days = 7;
    private List<Seen.Gap> gaps = List.of();
    private List<String> slis = List.of("engine side, TTFT <= 1 s for 99 %");
    private final List<Episode> episodes = new ArrayList<>();
    private final List<WatchedFirings> firings = new ArrayList<>();
    private final List<Envelope> envelopes = new ArrayList<>();
    private Traffic traffic = traffic(7, 400, 400);
    private List<String> leftOut = List.of();
    private Map<String, String> missing = Map.of();
    private List<String> doubled = List.of();
    private long requests = 1000;
    private long good = 998;

    private Watched watched() {
      Steps windows = new Steps(START + WINDOW, START + days * DAY, WINDOW);
      List<ClientCounts.Count> counts =
          Stream.generate(() -> new ClientCounts.Count(requests, requests * good / 1000))
              .limit(windows.count())
              .toList();
      Users.Group group =
          new Users.Group(
              Labels.of(Map.of("model_name", "m")), 0.99,
              new ClientCounts(START, WINDOW, counts), episodes, 1);
      return new Watched(
          "alerts/rules.yaml", "http://prometheus:9090",
          new Seen(START, START + days * DAY, gaps), slis,
          new Users(windows, slis.isEmpty() ? List.of() : List.of(group)),
          firings.stream().map(this::counted).toList(), envelopes,
          traffic, leftOut, missing, doubled);
    }

    /** Two hours of the range are near suffering. */
    private WatchedFirings counted(WatchedFirings one) {
      double healthy =
          good < 990 ? 0 : Math.min(one.healthySeconds(), (days * 24 - 2) * 3600.0);
      return new WatchedFirings(
          one.alert(), one.isJudged(), one.times(), one.episodes(), one.found(), healthy,
          AlertScore.mostPerDay(one.of(Kind.FALSE).size(), healthy), one.withoutSeries());
    }
  }

  private static Traffic traffic(int days, double before, double since) {
    List<Traffic.Day> all = new ArrayList<>();
    for (int i = 0; i < days; i++) {
      all.add(new Traffic.Day(day(i), 90_000, i < 4 ? before : since, 120, 4.5));
    }
    return new Traffic(all, 2 * since + 0.5, 250.5);
  }

  private static String day(int i) {
    return java.time.LocalDate.ofEpochDay(20_400 + i).toString();
  }

  /** A signal that is above the study on these days. */
  private static Envelope envelope(double... above) {
    return unclear(0, above);
  }

  private static Envelope unclear(double unclear, double... above) {
    List<Envelope.Day> days = new ArrayList<>();
    for (double share : above) {
      days.add(
          new Envelope.Day(
              day(days.size()), 288, 24, share, unclear, share / 2, share > 0.2 ? 0.99 : 0.01));
    }
    return new Envelope(
        "VLLMQueueTimeHigh", "queue_p95", "{model_name=\"m\"}", 0.3, 0.285, 40, 0.1, days);
  }

  private static WatchedFirings alert(String name, boolean isJudged, Time... times) {
    return new WatchedFirings(
        name, isJudged, List.of(times), 1, times.length > 0 ? 1 : 0, 7 * 86_400, 0, List.of());
  }

  private static Time time(double fromDay, int minutes, Kind kind, double well) {
    long from = START + Math.round(fromDay * DAY);
    return new Time(
        from, from + minutes * 60_000L, false, "{alertname=\"x\",model_name=\"m\"}", kind, well);
  }

  private static Made made() {
    Made made = new Made();
    made.episodes.add(episode(2.5, 4));
    made.firings.add(
        alert("VLLMTTFTObjectiveMissed", true, time(2.505, 25, Kind.RIGHT, 0)));
    made.firings.add(alert("VLLMQueueTimeHigh", true));
    made.firings.add(alert("VLLMTargetDown", false, time(1.25, 10, Kind.NOT_JUDGED, 1)));
    made.envelopes.add(envelope(0, 0, 0.01, 0, 0.02, 0, 0));
    return made;
  }

  private static Episode episode(double fromDay, int windows) {
    long onset = START + Math.round(fromDay * DAY / WINDOW) * WINDOW;
    return new Episode(onset, onset + (windows - 1) * WINDOW);
  }

  private static Answer check(String name, Made made, AnswerStatus outcome) throws IOException {
    Invocation asked =
        new Invocation(
            List.of(
                new Invocation.Word("", "watch"), new Invocation.Word("", "alerts/rules.yaml"),
                new Invocation.Word("--prometheus", "--prometheus http://prometheus:9090")),
            "");
    Answer answer = made.watched().answer(asked);
    FrozenWords.check("watch/" + name, ScreenWriter.text(answer, Terminal.PLAIN));
    assertThat(answer.outcome()).isEqualTo(outcome);
    return answer;
  }

  @Test
  void signalsStayAndNoAlertWasFalse() throws IOException {
    Answer answer = check("holds", made(), AnswerStatus.GOOD);

    FrozenWords.checkJson("watch/holds", Reports.json(answer.figures().record()));
    Golden.assertSame("watch/holds.md", AnswerFiles.markdown(answer));
  }

  @Test
  void aDayOfHealthIsLikelyAndAnHourOrTwoTooClose() throws IOException {
    Made day = made();
    day.days = 1;
    day.episodes.clear();
    day.envelopes.set(0, envelope(0));
    check("holds-likely", day, AnswerStatus.GOOD);
    day.envelopes.set(0, envelope(0.12));
    check("too-close-signal", day, AnswerStatus.TOO_CLOSE);
    day.envelopes.clear();
    day.days = 0;
    Made hours = new Made();
    hours.firings.addAll(day.firings);
    hours.days = 1;
    hours.requests = 0;
    check("no-requests", hours, AnswerStatus.TOO_CLOSE);
  }

  @Test
  void alertsThatFindNoSeriesAreNotVouchedFor() throws IOException {
    Made made = made();
    made.firings.add(
        new WatchedFirings(
            "Typo", true, List.of(), 1, 0, 6.5 * 86_400, 0.46, List.of("vllm:ttft_count")));
    made.missing = Map.of("vllm:ttft_count", "vllm:time_to_first_token_seconds_count");
    made.doubled = List.of("vllm:num_requests_running");
    made.leftOut = List.of("rules.yaml:7: Loki is left out: unexpected character '|'");
    check("holds-in-part", made, AnswerStatus.GOOD);
  }

  @Test
  void aSignalLeftItsStudyWithTheMix() throws IOException {
    Made made = made();
    made.traffic = traffic(7, 412, 1930);
    made.envelopes.set(0, envelope(0, 0, 0, 0, 0.4, 0.5, 0.6));
    made.gaps =
        List.of(
            new Seen.Gap(START, START + DAY / 4),
            new Seen.Gap(START + 3 * DAY, START + 3 * DAY + 7_200_000));
    Answer answer = check("stale", made, AnswerStatus.FAILS);

    FrozenWords.checkJson("watch/stale", Reports.json(answer.figures().record()));
    Golden.assertSame("watch/stale.md", AnswerFiles.markdown(answer));
    Golden.assertSame("watch/stale.html", AnswerFiles.page(answer, "Times are UTC."));
  }

  @Test
  void aSignalLeftItsStudyForAnotherReason() throws IOException {
    Made made = made();
    made.envelopes.set(0, envelope(0, 0, 0, 0, 0.4, 0.5, 0.6));
    check("stale-same-mix", made, AnswerStatus.FAILS);
    made.traffic = new Traffic(List.of(), Double.NaN, Double.NaN);
    made.firings.set(1, alert("VLLMQueueTimeHigh", true, time(5.1, 40, Kind.FALSE, 0.97)));
    check("stale-mix-unknown", made, AnswerStatus.FAILS);
    made.traffic = traffic(7, 400, 400);
    made.envelopes.set(0, envelope(0.4, 0.4, 0.4, 0.4, 0.4, 0.5, 0.6));
    check("stale-from-the-first-day", made, AnswerStatus.FAILS);
  }

  @Test
  void coarseBucketsLeaveItOpen() throws IOException {
    Made made = made();
    made.envelopes.set(0, unclear(0.9, 0, 0, 0, 0, 0, 0, 0));
    check("too-coarse", made, AnswerStatus.TOO_CLOSE);
  }

  @Test
  void aSignalThatCameBackIsNotOutside() throws IOException {
    Made made = made();
    made.envelopes.set(0, envelope(0, 0.4, 0, 0, 0, 0, 0));
    check("back-inside", made, AnswerStatus.GOOD);
  }

  @Test
  void alertsFiredWhileUsersWereWell() throws IOException {
    Made made = made();
    made.firings.set(
        1,
        alert(
            "VLLMQueueTimeHigh", true, time(5.1, 40, Kind.FALSE, 0.9),
            time(5.2, 10, Kind.FALSE, 0.8), time(5.3, 10, Kind.FALSE, 0.8),
            time(5.4, 10, Kind.FALSE, 0.8), time(5.5, 10, Kind.UNCLEAR, 0.6),
            time(5.6, 10, Kind.IDLE, Double.NaN)));
    check("false", made, AnswerStatus.FAILS);
  }

  @Test
  void usersSufferedAndNothingFired() throws IOException {
    Made made = made();
    made.episodes.add(episode(6.1, 2));
    check("missed", made, AnswerStatus.FAILS);
    made.episodes.add(episode(6.5, 5));
    check("missed-surely", made, AnswerStatus.FAILS);
  }

  @Test
  void nothingCanBeSaid() throws IOException {
    Made nobody = made();
    nobody.slis = List.of();
    check("no-sli", nobody, AnswerStatus.TOO_CLOSE);
    Made outages = made();
    outages.firings.removeIf(WatchedFirings::isJudged);
    check("only-outages", outages, AnswerStatus.TOO_CLOSE);
    Made blind = made();
    blind.firings.clear();
    blind.firings.add(
        new WatchedFirings("Typo", true, List.of(), 1, 0, 86_400, 3, List.of("x")));
    check("no-series", blind, AnswerStatus.TOO_CLOSE);
    Made dark = made();
    dark.gaps = List.of(new Seen.Gap(START, START + 7 * DAY));
    check("no-samples", dark, AnswerStatus.TOO_CLOSE);
    Made ill = made();
    ill.episodes.clear();
    ill.firings.clear();
    ill.firings.add(new WatchedFirings("A", true, List.of(), 1, 0, 600, 432, List.of()));
    ill.episodes.add(new Episode(START + WINDOW, START + 7 * DAY - 6 * WINDOW));
    check("seldom-well", ill, AnswerStatus.TOO_CLOSE);
    Made reversed = made();
    reversed.good = 2;
    check("upside-down", reversed, AnswerStatus.TOO_CLOSE);
  }

  @Test
  void manyAlertsAreCountedWhereThereIsNoRoom() throws IOException {
    Made made = made();
    for (int i = 0; i < 40; i++) {
      made.firings.add(alert("Alert" + i, true));
    }
    check("many", made, AnswerStatus.GOOD);
  }
}

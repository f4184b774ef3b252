package tallystick.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tallystick.gatling.Rehearsal;
import tallystick.gatling.RequestSender;
import tallystick.live.LiveMetrics;
import tallystick.openai.ClientSettings;
import tallystick.openai.CompletionClient;
import tallystick.openai.PromptWriter;
import tallystick.openai.RequestWriter;
import tallystick.openai.StreamThreads;
import tallystick.plan.Phase;
import tallystick.plan.Plan;
import tallystick.plan.Settings;
import tallystick.plan.ShardPlan;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.PlanJson;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Shard;
import tallystick.runrecord.ShardJson;
import tallystick.scenario.TargetList;
import tallystick.scrape.MetricsAccess;
import tallystick.scrape.Quiescence;
import tallystick.scrape.Scraper;

/**
 * The load process: started by {@link Run}, told what to do by the manifest and the plan in the
 * run's folder, told to stop by the end of its standard input. It prints its progress and its end.
 */
public final class RunSession {
  static final String API_KEY_VARIABLE = "TALLY_SESSION_API_KEY";

  /** What a parent that wants the run to end writes before it closes the pipe. */
  static final int STOP_ORDER = '.';

  /** A server that is there accepts sooner; the system itself would try for two minutes. */
  private static final long CONNECT_TIMEOUT_NANOS = 10_000_000_000L;

  private static final long CLOSING_SECONDS = 40; // Gatling 10, quiet 8, spans 8, rows 10

  private final Path runFolder;
  private final boolean allowForeignTraffic;
  private final Duration quietTimeout;
  private final RunOrders.Ports ports;
  private final PrintStream parent;
  private volatile long inFlight;

  private RunSession(String[] arguments, PrintStream parent) {
    this.runFolder = Path.of(arguments[0]);
    this.allowForeignTraffic = Boolean.parseBoolean(arguments[1]);
    this.quietTimeout = Duration.parse(arguments[2]);
    this.ports =
        new RunOrders.Ports(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
    this.parent = parent;
  }

  /** Called by {@link Run}. */
  public static void main(String[] arguments) {
    // Bodies and rows are written for machines: their digits are the same everywhere.
    Locale.setDefault(Locale.ROOT);
    // The pipe to the parent carries messages only; what libraries print goes to the log.
    PrintStream parent = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    // Gatling's threads would keep a process alive whose main thread has died.
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          failure.printStackTrace();
          if (failure instanceof Error) {
            end(parent, new RunEnd(RunEnd.Kind.CRASHED, failure.toString()));
          }
        });
    RunEnd end;
    try {
      end = new RunSession(arguments, parent).run();
    } catch (Exception | Error e) {
      e.printStackTrace();
      end = new RunEnd(RunEnd.Kind.CRASHED, e.toString());
    }
    end(parent, end);
  }

  private static void end(PrintStream parent, RunEnd end) {
    try {
      parent.println(SessionMessage.line(end));
      parent.flush();
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private RunEnd run() throws Exception {
    CollectorPriority.lower();
    RecordFiles files = RecordFiles.ofRun(runFolder);
    Manifest manifest = ManifestJson.read(files.manifest());
    Plan whole = PlanJson.read(files.plan());
    Optional<Shard> shard = ShardJson.read(files.shard());
    Plan plan = own(whole, shard);
    RunClock clock = RunClock.start();
    RecordWriter writer = opened(files, manifest, clock);
    StopWatch stopWatch = new StopWatch(plan.settings().stop());
    TraceIntake traces = new TraceIntake(ports.traces(), clock, writer);
    Optional<LiveMetrics> live = live(manifest);
    Consumer<RequestRow> rows = takers(writer, traces, stopWatch, live);
    MetricsAccess access = access(plan.settings());
    try (traces;
        Scraper scraper =
            new Scraper(
                manifest.targets(), plan.settings().timing().scrapeIntervalNanos(), clock,
                scrapeTakers(writer, live), access);
        TargetWatch watch =
            new TargetWatch(list(plan, shard), manifest.targets(), scraper, clock, writer);
        Scraper exporters =
            Scraper.ofExporters(
                plan.settings().exporters(), plan.settings().timing().scrapeIntervalNanos(), clock,
                writer::offerExporter, access);
        CompletionClient client = client(plan, access.api())) {
      int firstSpare = firstSpare(whole, shard, manifest.targets().size());
      PromptChoice prompts = promptChoice(manifest, plan, firstSpare, clock, client, rows);
      RunEnd end;
      FutureTask<Void> rehearsal = rehearsal(prompts.parts(), writer, clock);
      RequestSender sender = new RequestSender(prompts.parts());
      try (sender) {
        SessionSteps steps =
            new SessionSteps(
                new SessionSteps.Parts(
                    plan, list(plan, shard), files, clock, writer, scraper, client, prompts, sender,
                    rehearsal, quietTimeout, stopWatch, this::tell));
        closeOnSignal(steps);
        stopAtEndOfInput(steps);
        Protocol protocol =
            shard.isEmpty()
                ? quiescence -> steps.play(quiescence, allowForeignTraffic)
                : new ShardSteps(steps, files, manifest, shard.get(), whole)::play;
        end = play(new Scrapes(scraper, watch, exporters), steps, protocol, writer, traces, clock);
      }
      writer.countLost(sender.unwritten());
      live.ifPresent(LiveMetrics::close);
      return close(writer, end);
    }
  }

  private static Plan own(Plan whole, Optional<Shard> shard) {
    return shard.map(one -> new ShardPlan(whole, one.count()).part(one.index())).orElse(whole);
  }

  private Optional<LiveMetrics> live(Manifest manifest) throws IOException {
    return LiveMetrics.begin(ports.metrics(), System.getenv(), manifest, () -> inFlight);
  }

  private static Consumer<ScrapeRow> scrapeTakers(
      RecordWriter writer, Optional<LiveMetrics> live) {
    return row -> {
      writer.offer(row);
      live.ifPresent(metrics -> metrics.see(row));
    };
  }

  private void tell(Progress progress) {
    inFlight = progress.inFlight();
    parent.println(SessionMessage.line(progress));
  }

  /** Of several shards one scrapes. */
  private static TargetList list(Plan plan, Optional<Shard> shard) {
    return shard.map(Shard::scrapes).orElse(true)
        ? plan.settings().access().engines()
        : TargetList.NONE;
  }

  private static RecordWriter opened(RecordFiles files, Manifest manifest, RunClock clock)
      throws IOException {
    Manifest.Clock begun = new Manifest.Clock(clock.originUtcNanos(), 0, 0);
    return RecordWriter.open(files, manifest.closed(begun, Manifest.Ending.OPEN), clock);
  }

  /** All who are told of a finished request. */
  private static Consumer<RequestRow> takers(
      RecordWriter writer, TraceIntake traces, StopWatch stopWatch, Optional<LiveMetrics> live) {
    return row -> {
      writer.offer(row);
      traces.see(row);
      live.ifPresent(metrics -> metrics.see(row));
      if (!row.phase().equals(Phase.WARMUP)) {
        stopWatch.see(row);
      }
    };
  }

  /** What is scraped: the engines, which tell when all is quiet, and what stands beside them. */
  private record Scrapes(Scraper engines, TargetWatch watch, Scraper exporters) {
    void start() throws IOException, InterruptedException {
      watch.begin();
      engines.start();
      exporters.startSpread();
    }

    /** One scrape after the load of every exporter that answers; a dead one is not waited for. */
    void exportersOnceMore() throws InterruptedException {
      for (int exporter : exporters.targets()) {
        if (exporters.latest(exporter).filter(ScrapeRow::isGood).isPresent()) {
          exporters.scrape(exporter);
        }
      }
    }
  }

  /** The order of the steps, from the first scrape to the last. */
  private interface Protocol {
    RunEnd play(Quiescence quiescence) throws IOException, InterruptedException;
  }

  private static RunEnd play(
      Scrapes scrapes, SessionSteps steps, Protocol protocol, RecordWriter writer,
      TraceIntake traces, RunClock clock)
      throws InterruptedException {
    try (HarnessWatch watch = new HarnessWatch(clock, writer::offer, steps::noteProgress)) {
      watch.start();
      scrapes.start();
      RunEnd end =
          protocol.play(
              new Quiescence(
                  scrapes.engines(), clock, steps.settings().timing().scrapeIntervalNanos()));
      scrapes.exportersOnceMore();
      traces.awaitSpans();
      return end;
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace();
      return new RunEnd(RunEnd.Kind.CRASHED, e.toString());
    }
  }

  private static RunEnd close(RecordWriter writer, RunEnd end) throws InterruptedException {
    Manifest.Ending.State state =
        switch (end.kind()) {
          case COMPLETED -> Manifest.Ending.State.COMPLETED;
          case STOPPED -> Manifest.Ending.State.STOPPED;
          case INTERRUPTED -> Manifest.Ending.State.INTERRUPTED;
          case TARGET_BUSY, LATE, METRICS_LOST, REFUSED, DISK_FAILED, CRASHED ->
              Manifest.Ending.State.FAILED;
        };
    try {
      writer.close(state, end.detail());
      return end;
    } catch (IOException e) {
      e.printStackTrace();
      return new RunEnd(RunEnd.Kind.DISK_FAILED, Manifest.Ending.UNWRITTEN + e.getMessage());
    }
  }

  /** Read here, in the process that sends: orders and plan say only where a secret is. */
  private static MetricsAccess access(Settings settings) {
    String key = System.getenv().getOrDefault(API_KEY_VARIABLE, "");
    ApiAccess api = settings.access().shown(key, System.getenv());
    return MetricsAccess.of(settings.access().caFile(), api);
  }

  private static CompletionClient client(Plan plan, ApiAccess api) {
    Settings settings = plan.settings();
    return new CompletionClient(
        new ClientSettings(
            CONNECT_TIMEOUT_NANOS,
            settings.timing().requestTimeoutNanos(),
            api,
            settings.access().caFile(),
            settings.options().headers(),
            settings.access().http2()),
        StreamThreads.of(OpenStreams.most(plan, OpenStreams.USUAL_ANSWER_NANOS)));
  }

  private static FutureTask<Void> rehearsal(
      RequestSender.Parts parts, RecordWriter writer, RunClock clock) {
    FutureTask<Void> rehearsal =
        new FutureTask<>(
            () -> {
              Rehearsal.Played played = Rehearsal.play(parts);
              writer.offer(new Mark(clock.nanos(), Mark.Kind.REHEARSED, played.words()));
              return null;
            });
    new Thread(rehearsal, "rehearsal").start();
    return rehearsal;
  }

  /** What the run's sender works with, and how its prompts may yet change. */
  private static PromptChoice promptChoice(
      Manifest manifest, Plan plan, int firstSpare, RunClock clock, CompletionClient client,
      Consumer<RequestRow> rows) {
    Settings settings = plan.settings();
    ApiAccess api = access(settings).api();
    PromptSource source = new PromptSource(manifest, settings, api);
    PromptWriter prompts = source.careful();
    RequestSender.Parts parts =
        new RequestSender.Parts(
            settings, manifest.targets(), manifest.runId(), clock,
            new RequestWriter(settings, manifest.model(), prompts, api), client, rows);
    return new PromptChoice(plan, firstSpare, parts, source, prompts);
  }

  /** Index of the first request that is not planned; each shard has some of its own. */
  private static int firstSpare(Plan whole, Optional<Shard> shard, int targets) {
    return whole.requests().size() + shard.map(own -> own.index() * 2 * targets).orElse(0);
  }

  /** Ctrl-C reaches this process too: it closes its record before it goes. */
  private static void closeOnSignal(SessionSteps steps) {
    CountDownLatch never = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  steps.stop("interrupted");
                  try {
                    // The main thread ends the process itself once the record is closed.
                    never.await(CLOSING_SECONDS, TimeUnit.SECONDS);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                },
                "close-on-signal"));
  }

  private static void stopAtEndOfInput(SessionSteps steps) {
    Thread thread =
        new Thread(
            () -> {
              boolean isOrdered = false;
              try {
                for (int order = System.in.read(); order >= 0; order = System.in.read()) {
                  isOrdered |= order == STOP_ORDER;
                }
              } catch (IOException e) {
                // A broken pipe means the same as a closed one.
              }
              steps.stop(isOrdered ? "interrupted" : "tally itself was killed");
            },
            "stop-at-end-of-input");
    thread.setDaemon(true);
    thread.start();
  }
}

package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tallystick.scenario.Target;

/**
 * Appends rows to a run record. Callers never wait: rows go through a bounded queue to one writer
 * thread, which hands them to the operating system several times a second; what does not fit is
 * counted. Threads: the offer methods may be called from any.
 */
public final class RecordWriter {
  private static final int QUEUE_ROWS = 1 << 16;
  private static final long FLUSH_NANOS = 200_000_000L;
  private static final Object END = new Object();

  private record ExporterRow(ScrapeRow row) {}

  private final RecordFiles files;
  private volatile Manifest manifest;
  private final RunClock clock;
  private final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(QUEUE_ROWS);
  private final AtomicLong dropped = new AtomicLong();
  private final ScrapeRowWriter scrapeWriter = new ScrapeRowWriter();
  private final Disk disk;
  private final List<FileChannel> channels = new ArrayList<>();
  private final List<JsonGenerator> opened = new ArrayList<>();
  private final JsonGenerator requests;
  private final JsonGenerator scrapes;
  private final JsonGenerator harness;
  private final ScrapeRowWriter exporterWriter = new ScrapeRowWriter();
  private JsonGenerator traces;
  private JsonGenerator exporters;
  private final Thread thread;
  private volatile IOException failure;
  private long requestRows;
  private long scrapeRows;
  private long harnessRows;
  private long droppedReported;

  private RecordWriter(RecordFiles files, Manifest manifest, RunClock clock) throws IOException {
    this.files = files;
    this.manifest = manifest;
    this.clock = clock;
    this.disk = new Disk(manifest);
    this.requests = lines(files.requests());
    this.scrapes = lines(files.scrapes());
    this.harness = lines(files.harness());
    this.thread = new Thread(this::drain, "record-writer");
  }

  /**
   * Opens a record for appending and writes its manifest.
   *
   * @throws IOException if the folder cannot be written
   */
  public static RecordWriter open(RecordFiles files, Manifest manifest, RunClock clock)
      throws IOException {
    Files.createDirectories(files.folder());
    ManifestJson.write(manifest, files.manifest());
    RecordWriter writer = new RecordWriter(files, manifest, clock);
    writer.thread.setDaemon(true);
    writer.thread.start();
    return writer;
  }

  /** Hands over a finished request. */
  public void offer(RequestRow row) {
    enqueue(row);
  }

  /** Hands over a scrape. */
  public void offer(ScrapeRow row) {
    enqueue(row);
  }

  /** Hands over a scrape of an exporter; its target is the index into the settings' exporters. */
  public void offerExporter(ScrapeRow row) {
    enqueue(new ExporterRow(row));
  }

  /** Hands over a note of the harness. */
  public void offer(HarnessRow row) {
    enqueue(row);
  }

  /** Hands over a span of an engine. */
  public void offer(SpanRow row) {
    enqueue(row);
  }

  /** Has the manifest say how the run's prompts are written, from its closing on. */
  public synchronized void settle(PromptForm form) {
    manifest = manifest.with(form);
  }

  /**
   * Has the manifest name these targets, from this moment on: a record that nobody closes needs
   * them too.
   */
  public synchronized void settle(List<Target> targets) throws IOException {
    manifest = manifest.with(targets);
    ManifestJson.write(manifest, files.manifest());
  }

  /** Waits until half the queue is free, for a source of rows that can wait: a simulation. */
  public void awaitRoom() throws InterruptedException {
    while (queue.remainingCapacity() < QUEUE_ROWS / 2 && failure == null) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Counts rows that were lost before they could be offered. */
  public void countLost(long rows) {
    dropped.addAndGet(rows);
  }

  /**
   * Writes what is queued, then closes the record with how the run ended.
   *
   * @throws IOException if anything could not be written
   */
  public void close(Manifest.Ending.State state, String detail)
      throws IOException, InterruptedException {
    queue.put(END);
    thread.join();
    for (JsonGenerator file : opened) {
      try {
        file.close();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
    Manifest.Clock closedAt =
        new Manifest.Clock(clock.originUtcNanos(), clock.wallNanos(), clock.nanos());
    try {
      Manifest.Ending ending =
          failure == null
              ? new Manifest.Ending(
                  state, detail, requestRows, scrapeRows, harnessRows, dropped.get())
              : brokenOff();
      ManifestJson.write(manifest.closed(closedAt, ending), files.manifest());
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** What was handed to the system and found no room is not there: only the files know. */
  private Manifest.Ending brokenOff() throws IOException {
    return RecordReader.openPart(files.folder().toAbsolutePath().getParent())
        .brokenOff(
            Manifest.Ending.UNWRITTEN + failure.getMessage(),
            requestRows + scrapeRows + dropped.get());
  }

  /** Why nothing is written any more; empty while all is well. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure).map(why -> String.valueOf(why.getMessage()));
  }

  private void enqueue(Object row) {
    if (failure != null || !queue.offer(row)) {
      dropped.incrementAndGet();
    }
  }

  private void drain() {
    long lastFlush = System.nanoTime();
    try {
      while (true) {
        Object row = queue.poll(FLUSH_NANOS, TimeUnit.NANOSECONDS);
        if (row == END) {
          break;
        }
        if (row != null) {
          write(row);
        }
        if (System.nanoTime() - lastFlush >= FLUSH_NANOS) {
          reportDropped();
          flush();
          lastFlush = System.nanoTime();
        }
        if (row instanceof HarnessRow.Mark) {
          sync();
        }
      }
      reportDropped();
      sync();
    } catch (IOException e) {
      failure = e;
      dropped.addAndGet(queue.size());
      queue.clear();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(Object row) throws IOException {
    switch (row) {
      case RequestRow request -> {
        requestRows++;
        RequestRowJson.write(request, requests);
        requests.writeRaw('\n');
      }
      case ScrapeRow scrape -> {
        scrapeRows++;
        write(scrape, scrapeWriter, scrapes, "target " + scrape.target());
      }
      case ExporterRow exporter ->
          write(exporter.row(), exporterWriter, exporters(), "exporter " + exporter.row().target());
      case HarnessRow note -> {
        harnessRows++;
        HarnessRowJson.write(note, harness);
        harness.writeRaw('\n');
      }
      case SpanRow span -> {
        SpanRowJson.write(span, traces());
        traces().writeRaw('\n');
      }
      default -> throw new IllegalStateException("not a row: " + row.getClass());
    }
  }

  private void write(ScrapeRow row, ScrapeRowWriter writer, JsonGenerator file, String whose)
      throws IOException {
    boolean wasFull = writer.isFull(row.target());
    writer.write(row, file);
    file.writeRaw('\n');
    if (writer.isFull(row.target()) && !wasFull) {
      write(new HarnessRow.Mark(clock.nanos(), HarnessRow.Mark.Kind.SERIES_LEFT_OUT, whose));
    }
  }

  /** Most runs receive no span; their record has no such file. */
  private JsonGenerator traces() throws IOException {
    if (traces == null) {
      traces = lines(files.traces());
    }
    return traces;
  }

  /** Most scenarios name no exporter; their record has no such file. */
  private JsonGenerator exporters() throws IOException {
    if (exporters == null) {
      exporters = lines(files.exporters());
    }
    return exporters;
  }

  private void reportDropped() throws IOException {
    long now = dropped.get();
    if (now > droppedReported) {
      write(new HarnessRow.Dropped(clock.nanos(), now - droppedReported, "any"));
      droppedReported = now;
    }
  }

  private void flush() throws IOException {
    for (JsonGenerator file : opened) {
      file.flush();
    }
    if (!Files.exists(files.requests())) {
      // The system goes on writing to a file that has no name any more.
      throw new IOException(files.folder() + " was removed while it was written");
    }
  }

  /** A step of the run is over: what it brought outlives the machine. */
  private void sync() throws IOException {
    flush();
    for (FileChannel channel : channels) {
      disk.sync(channel);
    }
  }

  private JsonGenerator lines(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    channels.add(channel);
    OutputStream stream = new SealedLines(Channels.newOutputStream(channel));
    JsonGenerator generator = RecordJson.MAPPER.createGenerator(stream);
    generator.setPrettyPrinter(null);
    generator.setRootValueSeparator(null);
    generator.enable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    opened.add(generator);
    return generator;
  }
}

package tallystick.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import tallystick.export.RunTables.Column;
import tallystick.runrecord.RunRows;

/**
 * The tables of {@link CsvExport} as Parquet files, with types: whole numbers are INT64, values and
 * times DOUBLE, words UTF-8. An unknown cell is null. Repeated words and numbers are stored once by
 * the format's own dictionaries; nothing is compressed beyond that.
 */
public record ParquetExport(RunRows rows) {
  /** Writes the tables into a folder and gives their paths. */
  public List<Path> write(Path folder) throws IOException {
    return new RunTables(rows, folder, ".parquet", ParquetExport::open).write();
  }

  private static RunTables.Sink open(Path file, List<Column> columns) throws IOException {
    // The writer makes new files only.
    Files.deleteIfExists(file);
    ParquetWriter<List<Object>> out =
        new TableBuilder(new LocalOutputFile(file), columns)
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
            .build();
    return new RunTables.Sink(out::write, out);
  }

  private static final class TableBuilder
      extends ParquetWriter.Builder<List<Object>, TableBuilder> {
    private final List<Column> columns;

    TableBuilder(OutputFile file, List<Column> columns) {
      super(file);
      this.columns = columns;
    }

    @Override
    protected TableBuilder self() {
      return this;
    }

    @Override
    protected WriteSupport<List<Object>> getWriteSupport(Configuration configuration) {
      return new RowSupport(columns);
    }

    @Override
    protected WriteSupport<List<Object>> getWriteSupport(ParquetConfiguration configuration) {
      return new RowSupport(columns);
    }
  }

  /** Hands the cells of a row to the columns' writers; a cell of null is left out. */
  private static final class RowSupport extends WriteSupport<List<Object>> {
    private final List<Column> columns;
    private RecordConsumer out;

    RowSupport(List<Column> columns) {
      this.columns = columns;
    }

    @Override
    public WriteContext init(Configuration configuration) {
      return new WriteContext(schema(columns), Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
      return new WriteContext(schema(columns), Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      out = consumer;
    }

    @Override
    public void write(List<Object> cells) {
      out.startMessage();
      for (int i = 0; i < cells.size(); i++) {
        if (cells.get(i) != null) {
          String name = columns.get(i).name();
          out.startField(name, i);
          put(cells.get(i), columns.get(i).kind());
          out.endField(name, i);
        }
      }
      out.endMessage();
    }

    private void put(Object cell, RunTables.Kind kind) {
      switch (kind) {
        case TEXT -> out.addBinary(Binary.fromString((String) cell));
        case WHOLE -> out.addLong((Long) cell);
        case NUMBER, SECONDS -> out.addDouble((Double) cell);
      }
    }
  }

  private static MessageType schema(List<Column> columns) {
    Types.MessageTypeBuilder schema = Types.buildMessage();
    for (Column column : columns) {
      switch (column.kind()) {
        case TEXT ->
            schema
                .optional(PrimitiveTypeName.BINARY)
                .as(LogicalTypeAnnotation.stringType())
                .named(column.name());
        case WHOLE -> schema.optional(PrimitiveTypeName.INT64).named(column.name());
        case NUMBER, SECONDS -> schema.optional(PrimitiveTypeName.DOUBLE).named(column.name());
      }
    }
    return schema.named("tally");
  }
}

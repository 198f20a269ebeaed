package org.svcmailbox.worker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.worker.WorkerDocument;

/** The tables of settings that people read say what the reader does. */
class SettingsTableTest {
  private static final String WORKER = "Settings: worker.toml";
  private static final String STREAMS = "Settings: streams.toml";
  private static final Pattern RANGE =
      Pattern.compile("([0-9]+)([A-Za-z]*) to ([0-9]+)([A-Za-z]*)");

  /** The smallest stream that a file may have. */
  private static final String NEEDED_STREAM =
      "[[stream]]\nname = \"S\"\nsubjects = [\"shop.event.>\"]\n";

  private static final String NEEDED_CONSUMER =
      "[[consumer]]\nstream = \"S\"\ndurable = \"shipping\"\nfilter_subject = \"shop.event.>\"\n";

  private record Row(String name, String byDefault, String bounds) {
    static Stream<Row> of(String section) {
      return WorkerDocument.rows(section, "setting").stream()
          .map(
              cells ->
                  new Row(
                      WorkerDocument.code(cells.get(0)),
                      WorkerDocument.code(cells.get(1)),
                      cells.get(2)));
    }

    boolean hasDefault() {
      return !byDefault.isEmpty();
    }
  }

  @TempDir private Path directory;

  private SettingsFiles files;

  @BeforeEach
  void write() {
    files =
        new SettingsFiles(directory)
            .worker("context = \"shop\"")
            .streams(NEEDED_STREAM + NEEDED_CONSUMER);
  }

  private static Set<String> names(String section) {
    return Row.of(section).map(Row::name).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everySettingHasARowAndEveryRowIsASetting() throws Exception {
    assertEquals(new TreeSet<>(SettingsReader.names(files.worker())), names(WORKER));
    Section file =
        new Section(
            "",
            new TomlMapper().readTree(NEEDED_STREAM + NEEDED_CONSUMER),
            WorkerVariables.NONE,
            new Violations());
    Streams unused = new StreamsFile(files.worker(), file, new Violations()).read();
    Set<String> known =
        file.names().stream()
            .map(name -> name.replace("[0]", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(known, names(STREAMS));
  }

  static List<Row> defaultsOfTheWorker() {
    return Row.of(WORKER).filter(Row::hasDefault).toList();
  }

  static List<Row> defaultsOfStreams() {
    return Row.of(STREAMS).filter(Row::hasDefault).toList();
  }

  private WorkerSettings read(Map<String, String> environment) {
    return SettingsReader.read(files.worker(), environment);
  }

  private WorkerSettings readWith(Row row, String value) {
    return read(Map.of(WorkerVariables.of(row.name()), value));
  }

  private WorkerSettings readStreamsWith(Row row, String value) {
    String key = row.name().substring(row.name().indexOf('.') + 1);
    String literal = row.byDefault().matches("[0-9]+") ? value : '"' + value + '"';
    String line = key + " = " + literal + "\n";
    boolean isStream = row.name().startsWith("stream.");
    files.streams(
        NEEDED_STREAM + (isStream ? line : "") + NEEDED_CONSUMER + (isStream ? "" : line));
    return read(Map.of());
  }

  @ParameterizedTest
  @MethodSource("defaultsOfTheWorker")
  void aDefaultIsWhatTheReaderTakes(Row row) {
    assertEquals(read(Map.of()), readWith(row, row.byDefault()));
  }

  @ParameterizedTest
  @MethodSource("defaultsOfStreams")
  void aDefaultOfStreamsIsWhatTheReaderTakes(Row row) {
    WorkerSettings without = read(Map.of());
    assertEquals(without, readStreamsWith(row, row.byDefault()));
  }

  static List<Row> rangesOfTheWorker() {
    return ranges(WORKER);
  }

  static List<Row> rangesOfStreams() {
    return ranges(STREAMS);
  }

  private static List<Row> ranges(String section) {
    return Row.of(section).filter(row -> RANGE.matcher(row.bounds()).matches()).toList();
  }

  @ParameterizedTest
  @MethodSource("rangesOfTheWorker")
  void boundsAreThoseOfTheReader(Row row) {
    checkBounds(row, value -> readWith(row, value));
  }

  @ParameterizedTest
  @MethodSource("rangesOfStreams")
  void boundsOfStreamsAreThoseOfTheReader(Row row) {
    checkBounds(row, value -> readStreamsWith(row, value));
  }

  @Test
  void thereAreRangesToCheck() {
    assertEquals(7, rangesOfTheWorker().size());
    assertEquals(7, rangesOfStreams().size());
  }

  private static void checkBounds(Row row, Function<String, WorkerSettings> reader) {
    Matcher range = RANGE.matcher(row.bounds());
    assertTrue(range.matches());
    assertTrue(takes(reader, range.group(1) + range.group(2)), row + " takes its least value");
    assertTrue(takes(reader, range.group(3) + range.group(4)), row + " takes its greatest value");
    below(range.group(1), range.group(2))
        .ifPresent(low -> assertFalse(takes(reader, low), row + " refuses " + low));
    String high = above(range.group(3), range.group(4));
    assertFalse(takes(reader, high), row + " refuses " + high);
  }

  private static boolean takes(Function<String, WorkerSettings> reader, String value) {
    try {
      return reader.apply(value) != null;
    } catch (ConfigException e) {
      return false;
    }
  }

  private static Optional<String> below(String number, String unit) {
    if (number.equals("0")) {
      return Optional.empty();
    }
    return Optional.of(beside(number, unit, -1));
  }

  private static String above(String number, String unit) {
    return beside(number, unit, 1);
  }

  /** One less or more of the smallest unit. */
  private static String beside(String number, String unit, int step) {
    if (unit.isEmpty()) {
      return Long.toString(Long.parseLong(number) + step);
    }
    if (unit.endsWith("B")) {
      return Amounts.bytes(number + unit) + step + "B";
    }
    Duration limit = Amounts.duration(number + unit);
    return limit.plusNanos(step).toString();
  }
}

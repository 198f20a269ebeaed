package org.svcmailbox.ejb.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.idempotency.IdempotencyKey;

/**
 * A batch that was applied, as a line of text.
 *
 * @param to the last batch of the same transaction
 */
record Announced(int worker, long batchNo, long to, List<Place> places) {
  /** One of its rows, named by the key it has in {@link #key}. */
  record Place(String name, int shard, long seq, MsgId msgId) {
    IdempotencyKey key() {
      return SampleShard.key(BatchWriter.TOPIC, name);
    }

    @Override
    public String toString() {
      return shard + ":" + seq + ":" + msgId;
    }
  }

  /** Ends a whole line; a killed process may leave half of one. */
  private static final String END = "end";

  /** Words before the places: worker, batch, last batch. */
  private static final int HEAD = 3;

  static Announced of(int worker, long batchNo, long to, List<Row> rows) {
    List<Place> places = new ArrayList<>();
    for (Row row : rows) {
      places.add(
          new Place(
              key(worker, batchNo, places.size()),
              row.shard(),
              row.entry().seq(),
              row.reservation().msgId()));
    }
    return new Announced(worker, batchNo, to, places);
  }

  /** The text of a row's key. */
  static String key(int worker, long batchNo, int index) {
    return worker + "-" + batchNo + "-" + index;
  }

  String line() {
    return places.stream()
        .map(Place::toString)
        .collect(Collectors.joining(" ", worker + " " + batchNo + " " + to + " ", " " + END));
  }

  /** Reads what {@link #line} wrote; empty when its end is missing. */
  static Optional<Announced> parse(String line) {
    String[] words = line.split(" ", -1);
    int last = words.length - 1;
    if (!words[last].equals(END)) {
      return Optional.empty();
    }
    int worker = Integer.parseInt(words[0]);
    long batchNo = Long.parseLong(words[1]);
    List<Place> places = new ArrayList<>();
    for (int i = HEAD; i < last; i++) {
      places.add(place(key(worker, batchNo, i - HEAD), words[i].split(":", -1)));
    }
    return Optional.of(new Announced(worker, batchNo, Long.parseLong(words[2]), places));
  }

  private static Place place(String name, String[] parts) {
    return new Place(
        name, Integer.parseInt(parts[0]), Long.parseLong(parts[1]), MsgId.parse(parts[2]));
  }
}

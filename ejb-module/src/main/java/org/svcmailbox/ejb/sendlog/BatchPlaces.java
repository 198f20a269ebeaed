package org.svcmailbox.ejb.sendlog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.idempotency.IdempotencyKey;

/**
 * Where the rows of a batch are: 16 bytes a row and 24 a shard, so that a withdrawal needs no
 * search and the tables no column or index for it.
 */
record BatchPlaces(List<Stretch> stretches, List<IdempotencyKey> keys) {
  /** Neighbouring entries of one ledger, both ends included. */
  record Stretch(int topicId, int shard, long from, long to) {
    static final int BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    boolean isContinuedBy(Row row) {
      return row.entry().seq() == to + 1;
    }
  }

  private record Ledger(int topicId, int shard) {}

  /** No rows. */
  static final BatchPlaces NONE = new BatchPlaces(List.of(), List.of());

  /** The places of these rows. */
  static BatchPlaces of(List<Row> rows) {
    List<Stretch> stretches = new ArrayList<>();
    Map<Ledger, Integer> open = new HashMap<>();
    for (Row row : rows) {
      Integer at = open.get(new Ledger(row.topicId(), row.shard()));
      if (at != null && stretches.get(at).isContinuedBy(row)) {
        stretches.set(at, stretch(row, stretches.get(at).from()));
      } else {
        open.put(new Ledger(row.topicId(), row.shard()), stretches.size());
        stretches.add(stretch(row, row.entry().seq()));
      }
    }
    return new BatchPlaces(stretches, rows.stream().map(Row::key).toList());
  }

  private static Stretch stretch(Row last, long from) {
    return new Stretch(last.topicId(), last.shard(), from, last.entry().seq());
  }

  /** Reads what {@link #bytes} wrote. */
  static BatchPlaces ofBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<Stretch> stretches = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      stretches.add(new Stretch(in.getInt(), in.getInt(), in.getLong(), in.getLong()));
    }
    List<IdempotencyKey> keys = new ArrayList<>();
    while (in.hasRemaining()) {
      keys.add(new IdempotencyKey(in.getLong(), in.getLong()));
    }
    return new BatchPlaces(stretches, keys);
  }

  /** The stored form: the number of stretches, the stretches, the keys. */
  byte[] bytes() {
    int size =
        Integer.BYTES + stretches.size() * Stretch.BYTES + keys.size() * IdempotencyKey.BYTES;
    ByteBuffer out = ByteBuffer.allocate(size).putInt(stretches.size());
    for (Stretch s : stretches) {
      out.putInt(s.topicId()).putInt(s.shard()).putLong(s.from()).putLong(s.to());
    }
    keys.forEach(key -> out.putLong(key.high()).putLong(key.low()));
    return out.array();
  }
}

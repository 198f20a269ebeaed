package org.svcmailbox.bench.contestant.neighbour;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.QueueClient;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadGroupParams;
import redis.clients.jedis.resps.StreamEntryBinary;

/** A consumer of the group. Commands of a batch are one pipeline, whose answers are awaited. */
final class RedisClient implements QueueClient {
  static final byte[] GROUP = bytes("workers");

  private static final byte[] CONSUMER = bytes("worker");
  private static final byte[] FIELD = bytes("payload");

  private final Map<byte[], byte[]> payload = Map.of(FIELD, LoadPayload.bytes());
  private final Jedis jedis;
  private final byte[] stream;
  private final Map<byte[], StreamEntryID> next;

  RedisClient(Jedis jedis, byte[] stream) {
    this.jedis = jedis;
    this.stream = stream;
    this.next = Map.of(stream, StreamEntryID.XREADGROUP_UNDELIVERED_ENTRY);
  }

  @Override
  public void send(int messages) {
    List<Response<byte[]>> answers = new ArrayList<>();
    try (Pipeline pipeline = jedis.pipelined()) {
      for (int i = 0; i < messages; i++) {
        answers.add(pipeline.xadd(stream, XAddParams.xAddParams(), payload));
      }
    }
    // An answer that is an error throws.
    answers.forEach(Response::get);
  }

  @Override
  public int receive(int most) {
    var read =
        jedis.xreadGroupBinary(
            GROUP, CONSUMER, XReadGroupParams.xReadGroupParams().count(most), next);
    if (read == null || read.isEmpty()) {
      return 0;
    }
    byte[][] ids = read.get(0).getValue().stream().map(RedisClient::id).toArray(byte[][]::new);
    Response<Long> acknowledged;
    Response<Long> deleted;
    try (Pipeline pipeline = jedis.pipelined()) {
      acknowledged = pipeline.xack(stream, GROUP, ids);
      deleted = pipeline.xdel(stream, ids);
    }
    if (acknowledged.get() != ids.length || deleted.get() != ids.length) {
      throw new IllegalStateException("not all of " + ids.length + " messages are acknowledged");
    }
    return ids.length;
  }

  @Override
  public void close() {
    jedis.close();
  }

  private static byte[] id(StreamEntryBinary entry) {
    return bytes(entry.getID().toString());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

package org.svcmailbox.core.mailbox;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamRequest.Resume;
import org.svcmailbox.core.stream.StreamService.Door;

/** A mailbox in memory with streams, whose clients are stepped with it. */
final class StreamRig {
  static final TopicName TOPIC = new TopicName("orders");
  static final Duration VISIBILITY = Duration.ofMinutes(1);

  final MailboxRig rig;
  private final List<StreamClient> clients = new ArrayList<>();

  StreamRig(Map<String, String> settings) {
    this(1, settings);
  }

  StreamRig(long seed, Map<String, String> settings) {
    rig = new MailboxRig(seed, settings);
  }

  static StreamRequest request(int window) {
    return request(window, StreamRequest.DEFAULT_WINDOW_BYTES, OnClose.KEEP, null);
  }

  static StreamRequest resuming(StreamClient before, long last) {
    return request(
        100,
        StreamRequest.DEFAULT_WINDOW_BYTES,
        OnClose.KEEP,
        new Resume(before.stream().id(), last));
  }

  static StreamRequest request(int window, long bytes, OnClose onClose, @Nullable Resume resume) {
    return new StreamRequest(TOPIC, VISIBILITY, null, window, bytes, onClose, resume);
  }

  StreamClient open(StreamRequest request) {
    return open(SampleCallers.OPERATOR, request);
  }

  StreamClient open(Caller caller, StreamRequest request) {
    return open(caller, request, new StreamClient());
  }

  /** A stream whose connection takes only so many messages for now. */
  StreamClient open(StreamRequest request, int room) {
    StreamClient client = new StreamClient();
    client.room = room;
    return open(SampleCallers.OPERATOR, request, client);
  }

  StreamClient open(Caller caller, StreamRequest request, StreamClient client) {
    client.opened(rig.mailbox().streams().open(caller, request, Door.HTTP, client));
    add(client);
    return client;
  }

  void add(StreamClient client) {
    clients.add(client);
    run();
  }

  void send(int from, int count) {
    for (int i = from; i < from + count; i++) {
      rig.send(TOPIC.value(), "key " + i, "payload " + i);
      run();
    }
  }

  /** Ends the process as an operator does, and starts another; all connections are gone. */
  void restart() {
    rig.restart();
    clients.clear();
  }

  /** Steps workers and clients until nothing more happens. */
  void run() {
    boolean any = true;
    while (any) {
      rig.run();
      any = false;
      for (StreamClient client : clients) {
        any |= client.run();
      }
    }
  }

  /** Advances time in ticks of the streams. */
  void pass(Duration by) {
    Duration left = by;
    while (!left.isZero()) {
      Duration step = left.compareTo(TICK) < 0 ? left : TICK;
      rig.pass(step);
      rig.mailbox().streams().tick();
      run();
      left = left.minus(step);
    }
  }

  private static final Duration TICK = Duration.ofMillis(250);

  SettleOutcome ack(StreamClient.Got got) {
    SettleOutcome outcome =
        rig.ack(got.message().message().envelope().msgId(), got.message().receipt());
    run();
    return outcome;
  }

  static String text(StreamClient.Got got) {
    return new String(got.message().message().payload().bytes(), StandardCharsets.UTF_8);
  }

  static int attempt(StreamClient.Got got) {
    return got.message().message().envelope().attempt();
  }
}

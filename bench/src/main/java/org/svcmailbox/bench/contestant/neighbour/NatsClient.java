package org.svcmailbox.bench.contestant.neighbour;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.QueueClient;

/** A connection that shares the pull consumer. */
final class NatsClient implements QueueClient {
  static final String CONSUMER = "workers";

  private static final Duration RECEIVE = Duration.ofSeconds(1);
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private final byte[] payload = LoadPayload.bytes();
  private final Connection connection;
  private final JetStream jetStream;
  private final String stream;
  private @Nullable JetStreamSubscription subscription;

  NatsClient(Connection connection, String stream) throws IOException {
    this.connection = connection;
    this.jetStream = connection.jetStream();
    this.stream = stream;
  }

  @Override
  public void send(int messages) throws InterruptedException, ExecutionException, TimeoutException {
    List<CompletableFuture<PublishAck>> answers = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      answers.add(jetStream.publishAsync(stream, payload));
    }
    for (CompletableFuture<PublishAck> answer : answers) {
      PublishAck unused = answer.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public int receive(int most)
      throws IOException, JetStreamApiException, InterruptedException, TimeoutException {
    List<Message> messages = subscription().fetch(most, RECEIVE);
    int last = messages.size() - 1;
    for (int i = 0; i < last; i++) {
      messages.get(i).ack();
    }
    if (last >= 0) {
      // The server takes acknowledgements of a connection in order.
      messages.get(last).ackSync(ANSWER);
    }
    return messages.size();
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private JetStreamSubscription subscription() throws IOException, JetStreamApiException {
    JetStreamSubscription existing = subscription;
    if (existing == null) {
      existing = jetStream.subscribe(stream, PullSubscribeOptions.bind(stream, CONSUMER));
      subscription = existing;
    }
    return existing;
  }
}

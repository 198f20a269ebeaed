package org.svcmailbox.bench.contestant.neighbour;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.QueueClient;

/**
 * A connection with one channel. Nothing answers an acknowledgement; so the prefetch is one batch,
 * and the next batch comes once the queue has applied the acknowledgement of the last one.
 */
final class RabbitMqClient implements QueueClient {
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final Duration FIRST = Duration.ofSeconds(1);

  /** The rest of a batch follows its first message at once, unless the queue ends. */
  private static final Duration NEXT = Duration.ofMillis(100);

  private final byte[] payload = LoadPayload.bytes();
  private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
  private final Connection connection;
  private final Channel channel;
  private final String queue;
  private boolean consumes;

  RabbitMqClient(Connection connection, String queue) throws IOException {
    this.connection = connection;
    this.queue = queue;
    channel = connection.createChannel();
    channel.confirmSelect();
  }

  @Override
  public void send(int messages) throws IOException, InterruptedException, TimeoutException {
    for (int i = 0; i < messages; i++) {
      channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, payload);
    }
    channel.waitForConfirmsOrDie(ANSWER.toMillis());
  }

  @Override
  public int receive(int most) throws IOException, InterruptedException {
    consume(most);
    int received = 0;
    Delivery last = null;
    for (Delivery one = poll(FIRST); one != null; one = received < most ? poll(NEXT) : null) {
      last = one;
      received++;
    }
    if (last != null) {
      channel.basicAck(last.getEnvelope().getDeliveryTag(), true);
    }
    return received;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  private void consume(int prefetch) throws IOException {
    if (!consumes) {
      consumes = true;
      channel.basicQos(prefetch);
      String unused =
          channel.basicConsume(
              queue, false, (tag, delivery) -> deliveries.add(delivery), tag -> {});
    }
  }

  private @Nullable Delivery poll(Duration wait) throws InterruptedException {
    return deliveries.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
  }
}

package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

@ContractTest
class OrderIT {
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("order");

  OrderIT(MailboxClient client) {
    this.client = client;
  }

  @Test
  void oneShardIsFirstInFirstOut() throws IOException {
    oneShard();
    send(0, 100);
    client.sendBatch(messages(100, 200)).expect(200);
    List<Integer> received = new ArrayList<>();
    while (received.size() < 200) {
      List<Message> some = recv(7);
      assertTrue(!some.isEmpty(), () -> "nothing after " + received);
      some.forEach(message -> received.add(number(message)));
      client.ackBatch(some).expect(200);
    }
    assertEquals(range(0, 200), received);
  }

  @Test
  void oneShardKeyIsOneShardInOrder() throws IOException {
    for (int i = 0; i < 30; i++) {
      client.send(message(i).with("shard_key", "customer")).expect(200);
    }
    List<Message> all = recvAll(30);
    assertEquals(range(0, 30), numbers(all));
    assertEquals(1, all.stream().map(Message::shard).distinct().count());
    List<Long> places = all.stream().map(Message::seq).toList();
    assertEquals(places.stream().sorted().distinct().toList(), places);
  }

  @Test
  void manyKeysSpreadOverTheShardsAndEachKeepsItsOrder() throws IOException {
    send(0, 60);
    List<Message> all = recvAll(60);
    var byShard = all.stream().collect(Collectors.groupingBy(Message::shard));
    assertTrue(byShard.size() > 1, "more than one shard");
    byShard
        .values()
        .forEach(shard -> assertEquals(numbers(shard).stream().sorted().toList(), numbers(shard)));
  }

  @Test
  void aReceiveOfOneShardGetsNothingElse() throws IOException {
    send(0, 40);
    recv(1);
    List<Message> others = new ArrayList<>();
    for (int other = 0; other < 4; other++) {
      int wanted = other;
      // Without a wait an empty answer is certain.
      Fields request = request(100).with("shard", other).with("wait_ms", 0);
      for (List<Message> some = recv(request); !some.isEmpty(); some = recv(request)) {
        assertTrue(some.stream().allMatch(message -> message.shard() == wanted));
        others.addAll(some);
      }
    }
    assertEquals(39, others.size());
  }

  @Test
  void refusedMessagesTakeTheirOldPlace() throws IOException {
    oneShard();
    send(0, 10);
    List<Message> first = recvAll(5);
    client.nack(first.get(3), Fields.of("delay_ms", 0)).expect(200);
    client.nack(first.get(1), Fields.of("delay_ms", 0)).expect(200);
    awaitReady(7);
    assertEquals(List.of(1, 3, 5, 6, 7, 8, 9), numbers(recvAll(7)));
  }

  @Test
  void expiredMessagesTakeTheirOldPlace() throws IOException {
    oneShard();
    send(0, 10);
    client.recvAll(request(4).with("visibility_ms", 400), 4);
    awaitReady(10);
    assertEquals(range(0, 10), numbers(recvAll(10)));
  }

  private void oneShard() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
  }

  private void send(int from, int to) throws IOException {
    for (Fields message : messages(from, to)) {
      client.send(message).expect(200);
    }
  }

  private List<Fields> messages(int from, int to) {
    return IntStream.range(from, to).mapToObj(this::message).toList();
  }

  private Fields message(int number) {
    return Fields.send(topic, Integer.toString(number), new byte[16]);
  }

  private List<Message> recv(int most) throws IOException {
    return recv(request(most));
  }

  private List<Message> recv(Fields request) throws IOException {
    return client.recv(request).expect(200).messages();
  }

  /** As many as that, and not one more in any call. */
  private List<Message> recvAll(int messages) throws IOException {
    List<Message> all = new ArrayList<>();
    while (all.size() < messages) {
      all.addAll(client.recvAll(request(messages - all.size()), 1));
    }
    return all;
  }

  private Fields request(int most) {
    return Fields.of("topic", topic)
        .with("max_messages", most)
        .with("wait_ms", 10_000)
        .with("visibility_ms", 60_000);
  }

  private void awaitReady(int number) {
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> client.topic(topic).json().path("ready").asInt() == number,
            () -> number + " ready messages");
  }

  private static List<Integer> numbers(List<Message> messages) {
    return messages.stream().map(OrderIT::number).toList();
  }

  private static int number(Message message) {
    return Integer.parseInt(message.idemKey());
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }
}

package org.svcmailbox.bench.client;

import java.net.URI;
import java.time.Duration;
import org.svcmailbox.bench.contestant.ElasticMqContestant;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.SendWindow;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.sqs.SqsMailbox;

/**
 * Asynchronous sends to ElasticMQ in memory. Both sides find it by the system properties of the AWS
 * SDK and send the same text.
 */
final class SqsPair implements ClientPair {
  private static final int UNDER_WAY = 1_000;

  private final ElasticMqContestant server;
  private int queues;

  /**
   * @param server a running server, which this does not close
   */
  SqsPair(ElasticMqContestant server) {
    this.server = server;
    System.setProperty("aws.endpointUrlSqs", server.target().server().toString());
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("aws.accessKeyId", "bench");
    System.setProperty("aws.secretAccessKey", "bench");
  }

  @Override
  public String key() {
    return "sqs";
  }

  @Override
  public String work() {
    return "SQS: `sendAsync`, " + UNDER_WAY + " under way; 1 thread";
  }

  @Override
  public String peer() {
    return "`SqsAsyncBatchManager`";
  }

  @Override
  public double atLeast() {
    return 0.9;
  }

  @Override
  public double ours(Duration lasting) throws Exception {
    return onNewQueue(
        (queue, url) -> {
          try (SqsMailbox<String, String> mailbox =
              SqsMailbox.builder(queue, Codecs.utf8(), Codecs.utf8()).queueUrl(url).build()) {
            return run(() -> mailbox.sendAsync(Outgoing.of(LoadPayload.BASE64)), lasting);
          }
        });
  }

  @Override
  public double theirs(Duration lasting) throws Exception {
    return onNewQueue(
        (queue, url) -> {
          try (AwsBatchClient manager = AwsBatchClient.open()) {
            return run(() -> manager.send(url.toString(), LoadPayload.BASE64), lasting);
          }
        });
  }

  private static double run(SendWindow.Send send, Duration lasting) throws Exception {
    return new SendWindow(UNDER_WAY, send).run(lasting);
  }

  private interface Turn {
    double on(String queue, URI url) throws Exception;
  }

  private double onNewQueue(Turn turn) throws Exception {
    String queue = "bench-" + queues++;
    server.create(queue);
    double perSecond =
        turn.on(queue, URI.create(server.target().server() + "/000000000000/" + queue));
    server.delete(queue);
    return perSecond;
  }

  @Override
  public void close() {}
}

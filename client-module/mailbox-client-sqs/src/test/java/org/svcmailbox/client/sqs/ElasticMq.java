package org.svcmailbox.client.sqs;

import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.msg.DeduplicationIdsCleanup$;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * ElasticMQ in this process, with SQS' limits and a clock that can be moved ahead. Delays of sends
 * and waiting receives go by the machine's clock all the same.
 */
final class ElasticMq implements AutoCloseable {
  static final String SECRET = "a-secret-key";

  private static final ActorSystem SYSTEM =
      ActorSystem.create(
          "elasticmq",
          ConfigFactory.parseMap(
                  Map.of(
                      "pekko.daemonic", "on",
                      "pekko.loglevel", "OFF",
                      "pekko.stdout-loglevel", "OFF",
                      "pekko.loggers", List.of(),
                      "pekko.logging-filter", "org.apache.pekko.event.DefaultLoggingFilter"))
              .withFallback(ConfigFactory.load()));

  /** The machine's clock, ahead of itself. */
  private static final class Clock extends NowProvider {
    private final AtomicLong millisAhead = new AtomicLong();

    @Override
    public long nowMillis() {
      return System.currentTimeMillis() + millisAhead.get();
    }

    @Override
    public OffsetDateTime now() {
      return OffsetDateTime.now(ZoneOffset.UTC).plus(millisAhead.get(), ChronoUnit.MILLIS);
    }
  }

  private final Clock clock = new Clock();
  private final ActorRef queues =
      SYSTEM.actorOf(
          Props.create(QueueManagerActor.class, clock, StrictSQSLimits$.MODULE$, Option.empty()));
  private final SQSRestServer server;
  private final URI uri;
  private final SqsClient admin;

  ElasticMq() {
    server =
        SQSRestServerBuilder.withActorSystem(SYSTEM)
            .withQueueManagerActor(queues)
            .withInterface("127.0.0.1")
            .withDynamicPort()
            .start();
    uri = URI.create("http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort());
    SqsClientBuilder builder =
        SqsClient.builder().httpClientBuilder(UrlConnectionHttpClient.builder());
    at(uri, builder);
    admin = builder.build();
  }

  URI uri() {
    return uri;
  }

  /** Tells a client where the service is, and who calls. */
  static void at(URI uri, SqsClientBuilder builder) {
    builder
        .endpointOverride(uri)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("an-id", SECRET)));
  }

  /** A client that is no mailbox. */
  SqsClient admin() {
    return admin;
  }

  /** Makes a queue unless it is there, and returns its URL. */
  String create(String queue) {
    return create(queue, Map.of());
  }

  String create(String queue, Map<QueueAttributeName, String> attributes) {
    Map<QueueAttributeName, String> all = new HashMap<>(attributes);
    if (queue.endsWith(".fifo")) {
      all.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    return admin.createQueue(request -> request.queueName(queue).attributes(all)).queueUrl();
  }

  /** Ends leases, and forgets keys, as if so much time had passed. */
  void passTime(Duration duration) {
    clock.millisAhead.addAndGet(duration.toMillis());
    SYSTEM
        .actorSelection(queues.path().child("*"))
        .tell(DeduplicationIdsCleanup$.MODULE$, ActorRef.noSender());
  }

  @Override
  public void close() {
    admin.close();
    var unused = server.stopAndGetFuture().apply();
    SYSTEM.stop(queues);
  }
}

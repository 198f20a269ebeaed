package org.svcmailbox.bench.contestant.neighbour;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import org.svcmailbox.bench.load.QueueClient;

/** A work queue of NATS JetStream in files, with one pull consumer. */
public final class NatsContestant extends NeighbourContestant {
  /** As many as the service may hand out at once. */
  private static final int MOST_PENDING = 40_000;

  public NatsContestant() {
    super("nats-server", "nats-server");
  }

  @Override
  public String name() {
    return "nats";
  }

  @Override
  public String title() {
    return "NATS JetStream";
  }

  @Override
  public String durability() {
    return "file, synced every 2 minutes";
  }

  @Override
  ProcessBuilder process(Path directory, int port) {
    return new ProcessBuilder(
        program(),
        "--addr",
        HOST,
        "--port",
        Integer.toString(port),
        "--jetstream",
        "--store_dir",
        directory.toString());
  }

  @Override
  public void create(String queue) throws IOException, JetStreamApiException, InterruptedException {
    String stream = stream(queue);
    manage(
        server -> {
          server.addStream(
              StreamConfiguration.builder()
                  .name(stream)
                  .subjects(stream)
                  .storageType(StorageType.File)
                  .retentionPolicy(RetentionPolicy.WorkQueue)
                  .build());
          server.addOrUpdateConsumer(
              stream,
              ConsumerConfiguration.builder()
                  .durable(NatsClient.CONSUMER)
                  .filterSubject(stream)
                  .ackPolicy(AckPolicy.Explicit)
                  .maxAckPending(MOST_PENDING)
                  .build());
        });
  }

  @Override
  public void delete(String queue) throws IOException, JetStreamApiException, InterruptedException {
    manage(server -> server.deleteStream(stream(queue)));
  }

  @Override
  QueueClient client(String queue) throws IOException, InterruptedException {
    return new NatsClient(connect(), stream(queue));
  }

  private interface Change {
    void on(JetStreamManagement server) throws IOException, JetStreamApiException;
  }

  private void manage(Change change)
      throws IOException, JetStreamApiException, InterruptedException {
    Connection connection = connect();
    try {
      change.on(connection.jetStreamManagement());
    } finally {
      connection.close();
    }
  }

  private Connection connect() throws IOException, InterruptedException {
    return Nats.connect("nats://" + HOST + ":" + port());
  }

  /** A stream, which has one subject of the same name. */
  private static String stream(String queue) {
    return queue.replace('.', '_');
  }
}

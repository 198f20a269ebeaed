package org.svcmailbox.ejb.delivery;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.delivery.Broker;
import org.svcmailbox.core.delivery.BrokerContract;
import org.svcmailbox.core.delivery.DeadLetter;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;

final class ArtemisBrokerTest implements BrokerContract {
  private ArtemisFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) {
    fixture = ArtemisFixture.start(directory.resolve("broker"), EmbeddedArtemis.Options.standard());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Override
  public Broker broker() {
    return fixture.broker();
  }

  @Override
  public Broker crashAndReopen() {
    return fixture.crash();
  }

  @Override
  public List<DeadLetter> deadLetters(TopicName topic) {
    return fixture.deadLetters(topic);
  }

  @Override
  public void plantUnreadable(ShardId shard) {
    fixture.plant(QueueNames.of(shard), 1);
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void passUntil(Instant moment) {
    ArtemisFixture.passUntil(moment);
  }
}

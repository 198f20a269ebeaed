package org.svcmailbox.ejb.broker;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.HeldLetterContract;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

@Order(1)
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EnumSource
final class ArtemisBrokerTest implements BrokerContract, HeldLetterContract {
  private final Way way;
  private ArtemisFixture fixture;

  ArtemisBrokerTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
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
  public List<ObservedLetter> deadLetters(TopicName topic) {
    return fixture.deadLetters(topic);
  }

  @Override
  public List<LetterAddress> addresses(TopicName topic) {
    return fixture.broker().letterQueues().browse(topic, 0).stream()
        .map(letter -> new LetterAddress(topic, letter.segment(), letter.position().bits()))
        .toList();
  }

  @Override
  public void plantUnreadable(ShardId shard) {
    fixture.plant(QueueNames.of(shard), 1);
  }

  @Override
  public Runnable commitLate(BrokerSession session) {
    return fixture.commitLate(session);
  }

  @Override
  public void takeLogFrom(BrokerSession session) {
    fixture.takeFromConsumer(QueueNames.log(WorkerId.of(0)));
  }

  @Override
  public void endQuietly(BrokerSession session) {
    fixture.endQuietly(QueueNames.log(WorkerId.of(0)));
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

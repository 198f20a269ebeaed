package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.Fault;
import org.svcmailbox.core.sendlog.InMemorySendLogStore;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.sendlog.SendLogStoreContract;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

class InMemoryTopicStoreTest implements TopicStoreContract {
  private final InMemorySendLog log = new InMemorySendLog(InstantSource.fixed(SendLogContract.NOW));
  private final InMemoryTopicStore store = new InMemoryTopicStore(log::deleteTopic);

  @Override
  public TopicStore store() {
    return store;
  }

  @Override
  public SendLog log() {
    return log;
  }

  @Test
  void aFaultBeforeAChangeLeavesNothing() {
    store.failNext(Fault.BEFORE);
    assertThrows(
        UnavailableException.class,
        () -> store.create(new TopicName("orders"), TopicStoreContract.PLAIN));
    assertEquals(List.of(), store.all());
  }

  @Test
  void aFaultAfterAChangeLeavesIt() {
    store.failNext(Fault.AFTER);
    assertThrows(
        UnavailableException.class,
        () -> store.create(new TopicName("orders"), TopicStoreContract.PLAIN));
    assertEquals(1, store.all().size());
  }
}

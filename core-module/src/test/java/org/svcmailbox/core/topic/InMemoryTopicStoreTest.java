package org.svcmailbox.core.topic;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

class InMemoryTopicStoreTest implements TopicStoreContract, SharedTopicStoreContract {
  private final InMemoryProjectionStore log = new InMemoryProjectionStore();
  private final InMemoryTopicStore store = new InMemoryTopicStore(log::deleteTopic, log::keepTopic);

  InMemoryTopicStoreTest() {
    log.topics(() -> store.all().stream().map(stored -> stored.id()).collect(toSet()));
  }

  @Override
  public TopicStore store() {
    return store;
  }

  @Override
  public ProjectionStore log() {
    return log;
  }

  @Test
  void aFaultBeforeAChangeLeavesNothing() {
    store.failNext(Fault.BEFORE);
    assertThrows(
        UnavailableException.class,
        () -> store.create(new TopicName("orders"), TopicStoreContract.PLAIN, 0));
    assertEquals(List.of(), store.all());
  }

  @Test
  void aFaultAfterAChangeLeavesIt() {
    store.failNext(Fault.AFTER);
    assertThrows(
        UnavailableException.class,
        () -> store.create(new TopicName("orders"), TopicStoreContract.PLAIN, 0));
    assertEquals(1, store.all().size());
  }
}

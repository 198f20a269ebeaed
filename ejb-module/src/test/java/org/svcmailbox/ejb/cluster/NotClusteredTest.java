package org.svcmailbox.ejb.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.Clustered;
import org.svcmailbox.core.problem.NotClusteredException;

/** A service of a node that offers a part of its calls. */
class NotClusteredTest {
  private interface Service {
    @Clustered
    String read(String name) throws IOException;

    void change(String name);
  }

  private final List<String> changed = new ArrayList<>();
  private final Service offered =
      NotClustered.of(
          Service.class,
          new Service() {
            @Override
            public String read(String name) throws IOException {
              if (name.isEmpty()) {
                throw new IOException("no name");
              }
              return "value of " + name;
            }

            @Override
            public void change(String name) {
              changed.add(name);
            }
          });

  @Test
  void whatIsOfferedAnswersAndFailsAsTheServiceDoes() throws IOException {
    assertEquals("value of a", offered.read("a"));
    assertEquals("no name", assertThrows(IOException.class, () -> offered.read("")).getMessage());
  }

  @Test
  void whatIsNotOfferedIsRefusedAndChangesNothing() {
    assertThrows(NotClusteredException.class, () -> offered.change("a"));
    assertTrue(changed.isEmpty());
  }

  @Test
  void theMethodsOfEveryObjectAnswer() {
    assertEquals(offered.hashCode(), offered.hashCode());
    assertTrue(offered.toString().contains("NotClusteredTest"), offered::toString);
  }
}

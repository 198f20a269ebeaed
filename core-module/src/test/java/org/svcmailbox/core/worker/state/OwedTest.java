package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.Refusal;

class OwedTest {
  private static final class Asked implements Command {
    private boolean isAnswered;

    @Override
    public void refuse(Refusal refusal) {
      isAnswered = true;
    }

    @Override
    public boolean isAnswered() {
      return isAnswered;
    }
  }

  private final Owed owed = new Owed();

  private List<Command> all() {
    List<Command> all = new ArrayList<>();
    owed.forEach(all::add);
    return all;
  }

  @Test
  void answeredCommandsAreForgottenUpToTheFirstThatIsOwed() {
    List<Asked> three = Stream.generate(Asked::new).limit(3).toList();
    three.forEach(owed::add);
    three.get(1).refuseLate();
    owed.forgetAnswered();
    assertEquals(three, all());
    three.get(0).refuseLate();
    owed.forgetAnswered();
    assertEquals(three.subList(2, 3), all());
    three.get(2).refuseLate();
    owed.forgetAnswered();
    assertEquals(List.of(), all());
  }
}

package org.svcmailbox.ejb.sendlog;

import java.time.InstantSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresSendLogTest implements SendLogContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final SendLog log = new JpaSendLog(DATABASE.transactions(), InstantSource.fixed(NOW));

  @Override
  public SendLog log() {
    return log;
  }
}

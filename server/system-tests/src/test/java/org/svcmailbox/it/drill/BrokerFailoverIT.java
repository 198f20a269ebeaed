package org.svcmailbox.it.drill;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.svcmailbox.it.server.BrokerPair;

/** The drill with a pair of the release that the service is built with. */
@Order(1)
@Tag("alone")
class BrokerFailoverIT extends BrokerFailover {
  BrokerFailoverIT() {
    super("failover", BrokerPair.layOut("pair"));
  }
}

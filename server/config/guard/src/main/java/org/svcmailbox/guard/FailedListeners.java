package org.svcmailbox.guard;

import java.util.ArrayList;
import java.util.List;
import org.jboss.as.server.CurrentServiceContainer;
import org.jboss.msc.service.ServiceController;
import org.jboss.msc.service.ServiceName;
import org.jboss.msc.service.ServiceRegistry;
import org.jboss.msc.service.StartException;

/** The web server's listeners that did not start, mostly because their port is taken. */
final class FailedListeners {
  private static final ServiceName LISTENERS = ServiceName.parse("org.wildfly.undertow.listener");

  private FailedListeners() {}

  /** The name of each such listener, with the reason. Complete once the server has started. */
  static List<String> find() {
    return find(CurrentServiceContainer.getServiceContainer());
  }

  static List<String> find(ServiceRegistry services) {
    List<String> failed = new ArrayList<>();
    for (ServiceName name : services.getServiceNames()) {
      ServiceController<?> service = services.getService(name);
      StartException failure = service == null ? null : service.getStartException();
      if (LISTENERS.isParentOf(name) && failure != null) {
        failed.add(name.getSimpleName() + ": " + failure.getMessage());
      }
    }
    return failed;
  }
}

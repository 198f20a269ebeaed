package org.svcmailbox.undertow.framing;

import io.undertow.server.OpenListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import org.jboss.as.server.CurrentServiceContainer;
import org.jboss.msc.service.LifecycleEvent;
import org.jboss.msc.service.ServiceController;
import org.jboss.msc.service.ServiceName;
import org.jboss.msc.service.ServiceRegistry;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.StreamConnection;
import org.xnio.channels.AcceptingChannel;

/**
 * The listeners whose connections are checked. WildFly has no extension point before Undertow's
 * parser, so this takes the accepting channel from the listener's service.
 */
public final class GuardedListeners {
  private static final Logger LOG = System.getLogger(GuardedListeners.class.getName());
  private static final ServiceName LISTENERS = ServiceName.parse("org.wildfly.undertow.listener");

  private GuardedListeners() {}

  /** Guards the listeners that are up, and all others as soon as they are. */
  static void guardAll() {
    ServiceRegistry services = CurrentServiceContainer.getServiceContainer();
    if (services == null) {
      return;
    }
    for (ServiceName name : services.getServiceNames()) {
      ServiceController<?> service = services.getService(name);
      if (service != null && LISTENERS.equals(name.getParent())) {
        service.addListener(GuardedListeners::listenerIs);
      }
    }
  }

  @SuppressWarnings(
      "deprecation") // Only this deprecated call finds a service without depending on it.
  private static void listenerIs(ServiceController<?> service, LifecycleEvent event) {
    if (event == LifecycleEvent.UP) {
      try {
        guard(service.getValue());
      } catch (ReflectiveOperationException e) {
        LOG.log(Level.ERROR, "A listener does not look at the framing of requests", e);
      }
    }
  }

  private static void guard(Object listener) throws ReflectiveOperationException {
    OpenListener open =
        (OpenListener) listener.getClass().getMethod("getOpenListener").invoke(listener);
    boolean isGuarded = false;
    for (Class<?> type = listener.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (AcceptingChannel.class.isAssignableFrom(field.getType())) {
          field.setAccessible(true);
          if (field.get(listener) instanceof AcceptingChannel<?> channel) {
            guard(channel, open);
            isGuarded = true;
          }
        }
      }
    }
    if (!isGuarded) {
      throw new NoSuchFieldException("an accepting channel of " + listener.getClass());
    }
  }

  /** Guards the connections that a channel accepts from now on, and ends earlier ones. */
  public static void guard(AcceptingChannel<?> accepting, OpenListener open) {
    ChannelListener<StreamConnection> guarded =
        connection -> {
          FramingSource.guard(connection);
          open.handleEvent(connection);
        };
    @SuppressWarnings("unchecked")
    AcceptingChannel<StreamConnection> channel = (AcceptingChannel<StreamConnection>) accepting;
    GuardedHttp2.guard(open);
    channel.getAcceptSetter().set(ChannelListeners.openListenerAdapter(guarded));
    open.closeConnections();
  }
}

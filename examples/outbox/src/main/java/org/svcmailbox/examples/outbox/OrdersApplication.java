package org.svcmailbox.examples.outbox;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The resources are below the page. */
@ApplicationPath("/api")
public class OrdersApplication extends Application {}

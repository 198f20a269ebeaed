/** The codecs that come with the client. Depends on the API package only. */
@NullMarked
package org.svcmailbox.client.codec;

import org.jspecify.annotations.NullMarked;

package winnow.agent;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.zip.CRC32;

/**
 * The log of a process: a header and blocks, each written by one call and never changed. After a failure nothing more is written: the reader trusts what
 * comes before. No FileChannel: an interrupt of the program's thread would close it.
 */
final class LogFile {
    final FileOutputStream out;
    private boolean broken;

    LogFile(File directory, String name) throws IOException {
        File file = new File(directory, name + ".log");
        for (int n = 1; !file.createNewFile(); n++) {
            file = new File(directory, name + "-" + n + ".log");
        }
        out = new FileOutputStream(file.getPath(), true);
        out.write(new Out().u8(0x574E4C4F4731_0A0AL).b, 0, 8);
    }

    /** Writes a block. The records start at 8, behind the room for length and checksum. */
    void write(Out block) {
        if (broken) {
            return;
        }
        int length = block.size - 8;
        CRC32 crc = new CRC32();
        crc.update(block.b, 8, length);
        int end = block.size;
        block.size = 0;
        block.u4(length).u4((int) crc.getValue());
        try {
            out.write(block.b, 0, end);
        } catch (IOException e) {
            broken = true;
        }
    }
}
